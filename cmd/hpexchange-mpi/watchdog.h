#ifndef HP_CMD_HPEXCHANGE_MPI_WATCHDOG_H
#define HP_CMD_HPEXCHANGE_MPI_WATCHDOG_H

/*
 * Ends the process when MPI hangs.  MPI has no timeouts: with a cut link or a
 * stopped process its calls do not return, or never complete.  A thread of its
 * own therefore checks when each peer was heard last.  It makes no MPI calls,
 * because these may hang as well, and ends the process by _exit(2).
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum watch_phase {
	WATCH_INIT, /* MPI_Init waits for all processes */
	WATCH_PEERS,
	WATCH_FINALIZE, /* the outputs have their names */
	WATCH_OFF
};

/* Times are milliseconds of clock_now_s. */
struct watch_peer {
	const char *name;
	_Atomic int64_t heard; /* -1: never */
	/* this node needs nothing more from the peer, which may be silent */
	_Atomic bool over;
};

struct watch {
	double timeout_s;
	const char *me; /* the name of this node; NULL: not known yet */
	struct watch_peer *peer; /* all nodes, by rank */
	uint32_t nodes;
	_Atomic int phase;
	_Atomic int64_t since; /* start of the phase */
	pthread_t thread;
};

/* Starts the thread in the phase WATCH_INIT. */
int watch_start(struct watch *, double timeout_s, struct hp_err *);
/*
 * Begins to watch the peers.  The names must outlive the watch.
 */
int watch_peers(struct watch *, const char *const *name, uint32_t nodes,
    uint32_t me, struct hp_err *);
void watch_phase(struct watch *, enum watch_phase);
void watch_heard(struct watch *, uint32_t rank);
void watch_over(struct watch *, uint32_t rank);

#endif

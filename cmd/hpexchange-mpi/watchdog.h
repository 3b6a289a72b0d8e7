#ifndef HP_CMD_HPEXCHANGE_MPI_WATCHDOG_H
#define HP_CMD_HPEXCHANGE_MPI_WATCHDOG_H

/*
 * Ends the process when MPI hangs.  MPI has no timeouts: if a link is cut or a
 * process is stopped, its calls may never return.  A separate thread therefore
 * checks when each peer was heard last.  This thread makes no MPI calls, which
 * could hang as well, and ends the process by _exit(2).
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum watch_phase {
	WATCH_INIT, /* MPI_Init waits for all processes */
	WATCH_PEERS,
	WATCH_FINALIZE, /* MPI_Finalize; the outputs have their names */
	WATCH_OFF
};

/*
 * State of one peer for the watchdog.  Times are milliseconds of clock_now_s.
 */
struct watch_peer {
	const char *name;
	_Atomic int64_t heard; /* -1: never */
	/*
	 * the exchange with this peer is complete, so its silence is no failure
	 */
	_Atomic bool over;
};

struct watch {
	double timeout_s;
	const char *me; /* the name of this node; NULL: not known yet */
	struct watch_peer *peer; /* all nodes, by rank */
	uint32_t nodes;
	_Atomic int phase;
	_Atomic int64_t since; /* when the phase began */
	pthread_t thread;
};

/* Starts the watchdog thread, in the phase WATCH_INIT. */
int watch_start(struct watch *, double timeout_s, struct hp_err *);
/*
 * Starts to check when each peer was heard last.  The names must exist as long
 * as the watchdog.
 */
int watch_peers(struct watch *, const char *const *name, uint32_t nodes,
    uint32_t me, struct hp_err *);
void watch_phase(struct watch *, enum watch_phase);
void watch_heard(struct watch *, uint32_t rank);
void watch_over(struct watch *, uint32_t rank);

#endif

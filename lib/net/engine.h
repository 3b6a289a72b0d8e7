#ifndef HP_NET_ENGINE_H
#define HP_NET_ENGINE_H

/*
 * What the sending and the receiving half of an exchange share.  The halves may
 * be threads.  While they run, only the members with a lock and the atomic ones
 * change.
 */

#include <stdatomic.h>

#include "net/exchange.h"
#include "net/localqueue.h"
#include "net/spool.h"
#include "net/unreached.h"
#include "net/wire.h"

struct engine {
	const struct exchange *x;
	/* Hello of this node.  `attempt` is added to the number of each. */
	struct hello mine;
	struct spool spool;
	/* A killed process had finished.  Only some peers must be told so. */
	bool done;
	struct endpoint endpoint; /* one half connects, the other accepts */
	struct local_queue local;
	pthread_mutex_t notice_lock; /* held during x->notice */
	struct unreached_log unreached;
	bool report_failed; /* was noticed; protected by the log's lock */
	atomic_flag failed; /* set by the half that fails first */
	atomic_bool stop;   /* one half has failed, the other must end */
	/* Machines at which all logins are done (logins.h). */
	atomic_uint passed;
	/* All peers are connected, and none of them is silent. */
	atomic_bool reached;

	/* Times, which depend on the timeout: */
	double beat_s;	      /* between two heartbeats */
	double silent_s;      /* silence that starts a new attempt, at least */
	double silent_most_s; /* the same for a peer known to be slow */
	double retry_most_s;  /* between two attempts */
	/*
	 * Silence after which a peer is lost.  It is the timeout and some time
	 * in which a peer that recovers just then can answer an attempt.
	 */
	double lost_s;
};

/* Why a half failed, to tell the other nodes. */
struct failure {
	uint32_t rank; /* of the node that caused it */
	bool final;    /* a retry would fail in the same way */
	/* What this half saw of that node; NOT: another node reported it. */
	enum unreached_why seen;
	char why[NOTE_TEXT + 1];
};

/* Records the failure of a node, and fails with HP_LOST: returns -1. */
int engine_lost(const struct engine *, struct failure *, uint32_t rank,
    enum unreached_why seen, const char *why, struct hp_err *);

/* Calls x->notice.  Thread-safe. */
void engine_notice(struct engine *, const char *text);

#endif

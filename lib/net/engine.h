#ifndef HP_NET_ENGINE_H
#define HP_NET_ENGINE_H

/*
 * What the two halves of an exchange share: sending.h has the one, receiving.h
 * the other.  They meet nowhere but here, so that each may be a thread of its
 * own; nothing but the handover, whether to stop, and how far the attempts have
 * come changes while they run.
 */

#include <stdatomic.h>

#include "net/exchange.h"
#include "net/localqueue.h"
#include "net/spool.h"
#include "net/unreached.h"
#include "net/wire.h"

struct engine {
	const struct exchange *x;
	struct hello mine; /* call: to be added to the number of each */
	struct spool spool;
	bool done; /* before: what is left is to tell those who do not know */
	struct endpoint endpoint; /* one half connects, the other accepts */
	struct local_queue local;
	pthread_mutex_t notice_lock;
	struct unreached_log unreached;
	bool report_failed;  /* was told; with the lock of the log held */
	atomic_flag failed;  /* the half that sets it has the error */
	atomic_bool stop;    /* so that the other one goes home too */
	atomic_uint passed;  /* machines to whose nodes there are connections */
	atomic_bool reached; /* all others are, and none of them is silent */
	double beat_s;	     /* from one sign of life to the next */
	double silent_s;     /* without one a new connection is tried, or */
	double silent_most_s; /* not before, of who was seen to take his time */
	double retry_most_s;  /* at most, from one such try to the next */
	double lost_s; /* without one it is lost: the timeout, and a while
			  in which who comes back by then answers a call */
};

/* Whose failure it is that a half cannot go on, for the others. */
struct failure {
	uint32_t rank;
	bool final; /* another try would end in the same way */
	/* What this half itself sees of the node; NOT: it was told. */
	enum unreached_why seen;
	char why[NOTE_TEXT + 1];
};

/* Puts the blame on a node, and fails with HP_LOST: restarts -1. */
int engine_lost(const struct engine *, struct failure *, uint32_t rank,
    enum unreached_why seen, const char *why, struct hp_err *);

/* Gives a notice, one at a time. */
void engine_notice(struct engine *, const char *text);

#endif

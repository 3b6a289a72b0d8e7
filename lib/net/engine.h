#ifndef HP_NET_ENGINE_H
#define HP_NET_ENGINE_H

/*
 * The state that the two parts (halves) of an exchange share: one sends to all
 * peers, the other receives from all peers. Each part may be a thread. While
 * the threads run, only the members with a lock and the atomic members change.
 */

#include <stdatomic.h>

#include "net/exchange.h"
#include "net/localqueue.h"
#include "net/spool.h"
#include "net/unreached.h"
#include "net/wire.h"

struct engine {
	const struct exchange *x;
	/*
	 * The hello of this node. Each connection attempt sends a copy, with
	 * the number of the attempt in the member `attempt`.
	 */
	struct hello mine;
	struct spool spool;
	/*
	 * true: an earlier process of this node had completed the exchange
	 * before it was killed. This process only answers peers that do not
	 * know yet that the exchange is complete.
	 */
	bool done;
	/* one part (sending or receiving) connects, the other accepts */
	struct endpoint endpoint;
	struct local_queue local;
	pthread_mutex_t notice_lock; /* held during x->notice */
	struct unreached_log unreached;
	bool report_failed; /* was noticed; protected by the log's lock */
	/* set by the part (sending or receiving) that fails first */
	atomic_flag failed;
	/*
	 * The sending or the receiving part of this process has failed, so the
	 * other part must end, too.
	 */
	atomic_bool stop;
	/*
	 * Number of machines at which all logins of this node are done
	 * (logins.h).
	 */
	atomic_uint passed;
	/* true while all peers are connected and none of them is silent */
	atomic_bool reached;

	/* Times, which depend on the timeout: */
	double beat_s;	 /* between two heartbeats */
	double silent_s; /* minimum silence before a new connection attempt */
	/* maximum of silent_s for a peer that is known to be slow */
	double silent_most_s;
	double retry_most_s; /* between two attempts */
	/*
	 * Seconds of silence after which a peer counts as lost: the timeout
	 * plus the time that a peer may need to answer a connection attempt. So
	 * a peer that recovers just before the timeout is not lost.
	 */
	double lost_s;
};

/* Why the exchange failed. The node sends this reason to the other nodes. */
struct failure {
	uint32_t rank; /* of the node that caused it */
	bool final;    /* a retry of the exchange would fail in the same way */
	/*
	 * How this process lost contact with the failed node. UNREACHED_NOT:
	 * another node has reported the failure.
	 */
	enum unreached_why seen;
	char why[NOTE_TEXT + 1];
};

/* Records that a node has failed. Always returns -1, with HP_LOST. */
int engine_lost(const struct engine *, struct failure *, uint32_t rank,
    enum unreached_why seen, const char *why, struct hp_err *);

/* Calls x->notice.  Thread-safe. */
void engine_notice(struct engine *, const char *text);

#endif

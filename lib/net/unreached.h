#ifndef HP_NET_UNREACHED_H
#define HP_NET_UNREACHED_H

/*
 * A log of the peers that this node does not reach: for how long, and why. The
 * log has only what this node observes on its own connections, not what peers
 * report about others. Both the sending and the receiving part of this program
 * write to the log.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Reasons why a peer is not reached. If the reasons differ for sending to a
 * peer and for receiving from it, the greater value counts.
 */
enum unreached_why {
	UNREACHED_NOT,	  /* the peer is well */
	UNREACHED_SILENT, /* connected, but nothing arrives */
	/* the connection broke, and each new connection breaks, too */
	UNREACHED_BROKEN,
	UNREACHED_NEVER,    /* it never was connected */
	UNREACHED_REFUSED,  /* its machine refuses the connection */
	UNREACHED_NO_ROUTE, /* there is no route to the peer's machine */
	UNREACHED_ENDED,    /* its process was connected, and has ended */
	UNREACHED_DAMAGED,  /* all received data is damaged */
	UNREACHED_KEY	    /* it has another key */
};

/* Returns the word for the reason, such as "silent", as in hp-trace(5). */
const char *unreached_word(enum unreached_why);

struct unreached {
	uint32_t rank; /* of the peer */
	enum unreached_why why;
	double seconds; /* without a sign of life */
	bool back;	/* the peer was heard again since */
};

enum unreached_half {
	UNREACHED_SENDING,
	UNREACHED_RECEIVING,
	UNREACHED_HALVES
};

struct unreached_log {
	pthread_mutex_t lock;
	uint32_t nodes;
	/*
	 * two elements for each peer: one for sending to it, one for receiving
	 * from it; those for sending come first, both ordered by rank
	 */
	struct unreached *seen;
	struct unreached *list; /* room for unreached_list */
	bool changed;
};

int unreached_init(struct unreached_log *, uint32_t nodes, struct hp_err *);
/* Harmless on a zeroed struct. */
void unreached_fini(struct unreached_log *);

/* Lock and unlock the log for the functions below. */
void unreached_lock(struct unreached_log *);
void unreached_unlock(struct unreached_log *);

/*
 * Records what was seen of a peer while sending to it or while receiving from
 * it. The caller holds the lock.
 */
void unreached_note(struct unreached_log *, enum unreached_half, uint32_t rank,
    enum unreached_why, double seconds);
/*
 * Stores in *list one element for each peer that is not reached now, or was not
 * reached for a while. An element merges what was seen while sending to the
 * peer and while receiving from it. Returns the number of elements. The log
 * owns the list. The caller holds the lock.
 */
size_t unreached_list(struct unreached_log *, const struct unreached **list);

#endif

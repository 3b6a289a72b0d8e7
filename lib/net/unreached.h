#ifndef HP_NET_UNREACHED_H
#define HP_NET_UNREACHED_H

/*
 * Which peers this node does not reach, for how long, and why.  The log holds
 * only what this node sees on its own connections: what a peer tells about
 * others does not go into it.  Both halves of an exchange write to it, each
 * about its own connection to each peer.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* When both halves have a reason, the greater one counts. */
enum unreached_why {
	UNREACHED_NOT,	    /* the peer is well */
	UNREACHED_SILENT,   /* connected, but nothing arrives */
	UNREACHED_BROKEN,   /* the connection broke, and no new one holds */
	UNREACHED_NEVER,    /* it never was connected */
	UNREACHED_REFUSED,  /* its machine refuses the connection */
	UNREACHED_NO_ROUTE, /* the network has no way to its machine */
	UNREACHED_ENDED,    /* its process was connected, and has ended */
	UNREACHED_DAMAGED,  /* all that arrives is damaged */
	UNREACHED_KEY	    /* it has another key */
};

/* "silent" and so on, as hp-trace(5) lists them. */
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
	struct unreached *seen; /* by rank, first of the half that sends */
	struct unreached *list; /* room for unreached_list */
	bool changed;
};

int unreached_init(struct unreached_log *, uint32_t nodes, struct hp_err *);
/* Harmless on a zeroed struct. */
void unreached_fini(struct unreached_log *);

/* Around all of the following. */
void unreached_lock(struct unreached_log *);
void unreached_unlock(struct unreached_log *);

/* With the lock held: what a half sees of a peer. */
void unreached_note(struct unreached_log *, enum unreached_half, uint32_t rank,
    enum unreached_why, double seconds);
/*
 * With the lock held: both halves together, one element for each peer that is
 * not reached, or was not for a while.  The list is the log's.
 */
size_t unreached_list(struct unreached_log *, const struct unreached **list);

#endif

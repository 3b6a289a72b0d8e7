#ifndef HP_CMD_HPSIM_MOVERS_H
#define HP_CMD_HPSIM_MOVERS_H

/*
 * The senders and receivers of the exchange. A mover is one node, or a group of
 * similar nodes if there are more nodes than --groups. All groups but the last
 * have the same number of nodes, because their messages share ports equally.
 */

#include "work.h"

struct mover {
	size_t nodes;
	double items;	/* of all its nodes */
	double squares; /* the sum of the squares of the nodes' items */
	bool group;	/* has hosts of its own, see platform.h */
	size_t rank;	/* if it is no group: the node */
	struct link link;
	double end_s; /* when its last message was sent and received */
};

struct movers {
	struct mover *v;
	size_t n;
	size_t *of; /* the mover of each rank */
	double total;
	double item_bytes;
};

int movers_make(
    const struct work *, uint64_t groups, struct movers *, struct hp_err *);
void movers_fini(struct movers *);

/* Returns the bytes from mover a to mover b, or between the nodes of a group.
 */
long movers_bytes(const struct movers *, size_t a, size_t b);

/* The rate in bytes per second of a link without a limit. */
#define LINK_MOST 1e15

#endif

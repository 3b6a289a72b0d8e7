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
	double items;	/* items of all nodes of this mover */
	double squares; /* the sum of the squares of the nodes' items */
	/* nodes with links of their own, simulated by two hosts (platform.h) */
	bool group;
	size_t rank; /* a node of the mover, if it is no group */
	bool at_launcher;
	struct link link;
	/* when the mover has sent and received its last message */
	double end_s;
};

struct movers {
	struct mover *v;
	size_t n;
	size_t *of; /* for each rank, the index of its mover */
	double total;
	double item_bytes;
};

int movers_make(
    const struct work *, uint64_t groups, struct movers *, struct hp_err *);
void movers_fini(struct movers *);

/*
 * Returns the bytes that mover a sends to mover b.  If a equals b, returns the
 * bytes that the nodes of a group send to each other.
 */
long movers_bytes(const struct movers *, size_t a, size_t b);

/* Returns the latency of a message from mover a to mover b. */
double movers_latency(const struct movers *, size_t a, size_t b);

/* Bytes per second of a link for which the cluster file gives no rate. */
#define LINK_MOST 1e15

#endif

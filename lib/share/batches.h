#ifndef HP_SHARE_BATCHES_H
#define HP_SHARE_BATCHES_H

/*
 * Divides work among nodes of unknown speed while they work.  A node gets the
 * next batch of items when it has time for it, and the times of the finished
 * batches tell how large the next batch is.
 *
 * The first batches are small and equal.  A later batch has what its node does
 * in 1/24 of the time that all nodes need for all items.  At the end the
 * batches become smaller, so that all nodes finish together.  A node that
 * becomes slow holds up the others by one batch at most.  After guided
 * self-scheduling (Polychronopoulos and Kuck 1987) and factoring (Hummel,
 * Schonberg and Flynn 1992); learned costs as in Cérin, Dubacq, Gaudiot and
 * Jemni, section 3.3.
 *
 * The time is wall time: a node that another user's job slows down needs no
 * more processor time than before.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The progress of one node, from which its speed is learned. */
struct batch_node {
	/* finished items and their seconds; older batches count less */
	double items, seconds;
	uint64_t most;	  /* items of its largest batch */
	uint64_t running; /* items of the batch that the node works on */
	double since_s;	  /* when it began that batch */
};

struct batches {
	struct batch_node *node;
	size_t n;
	uint64_t all;	/* items */
	uint64_t first; /* items of a first batch */
};

/* first: items of a first batch, at least 1. */
int batches_init(struct batches *, size_t nodes, uint64_t all, uint64_t first,
    struct hp_err *);
void batches_fini(struct batches *);

/* Notes that the node begins a batch, or that its batch took so long. */
void batches_begin(struct batches *, size_t node, uint64_t items, double now_s);
void batches_end(struct batches *, size_t node, uint64_t items, double seconds);

/*
 * Returns the node's speed in items per second, 0 if it is not known.  A batch
 * that takes longer than expected counts before it ends.
 */
double batches_speed(const struct batches *, size_t node, double now_s);

/*
 * Returns how many of the `left` items the node's next batch has: 1 or more,
 * or 0 if nothing is left.  O(n).
 */
uint64_t
batches_next(const struct batches *, size_t node, uint64_t left, double now_s);

/*
 * Tells whether the second node should take a batch that waits at the first
 * node: whether it would finish it earlier, by a margin that pays for moving
 * the items.
 */
int batches_moves(const struct batches *, size_t from, size_t to,
    uint64_t items, double now_s);

#endif

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

/* The progress of one node, from which batches_speed computes its speed. */
struct batch_node {
	/*
	 * weighted sums of the finished items and of their seconds; older
	 * batches have less weight
	 */
	double items, seconds;
	uint64_t most; /* items of its largest batch */
	/* number of items in the batch that the node is working on */
	uint64_t running;
	double since_s; /* when the node began its current batch */
};

struct batches {
	struct batch_node *node;
	size_t n;
	uint64_t all;	/* items */
	uint64_t first; /* items of a first batch */
};

/*
 * Starts the division of `all` items. `first` is the number of items in the
 * first batch of each node, at least 1.
 */
int batches_init(struct batches *, size_t nodes, uint64_t all, uint64_t first,
    struct hp_err *);
void batches_fini(struct batches *);

/*
 * batches_begin tells that a node begins a batch at the time now_s. batches_end
 * tells that the node has finished its batch in that number of seconds.
 */
void batches_begin(struct batches *, size_t node, uint64_t items, double now_s);
void batches_end(struct batches *, size_t node, uint64_t items, double seconds);

/*
 * Returns the node's speed in items per second; 0 if it is unknown. If the
 * node's current batch takes longer than expected, the speed falls before the
 * batch ends.
 */
double batches_speed(const struct batches *, size_t node, double now_s);

/*
 * Returns how many items the node's next batch should have, if `left` items are
 * left: at least 1, or 0 if none are left. O(n).
 */
uint64_t
batches_next(const struct batches *, size_t node, uint64_t left, double now_s);

/*
 * Returns whether a batch that waits for node `from` should move to node `to`:
 * node `to` must finish it so much earlier that moving the items is worthwhile.
 */
int batches_moves(const struct batches *, size_t from, size_t to,
    uint64_t items, double now_s);

#endif

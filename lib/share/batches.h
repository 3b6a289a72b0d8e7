#ifndef HP_SHARE_BATCHES_H
#define HP_SHARE_BATCHES_H

/*
 * Divides work among nodes of unknown speed while they work.  A node gets the
 * next batch of items when it has time for it.  The times of the finished
 * batches determine the size of the next batch.
 *
 * The first batches are small and equal.  A later batch has as many items as
 * its node can do in 1/24 of the time that all nodes need for all items.  At
 * the end the batches become smaller, so that all nodes finish together.  This
 * follows guided self-scheduling (Polychronopoulos and Kuck 1987) and factoring
 * (Hummel, Schonberg and Flynn 1992).  Costs are learned as in Cérin, Dubacq,
 * Gaudiot and Jemni, section 3.3.
 *
 * When all items are dealt, an idle node takes over batches from a node that
 * has become slow.  Such a batch waits at the slow node, or the slow node works
 * on it, or has finished it.  Finished batches move, too, because the slow node
 * would also need long for them in the later phases of the run.  The backup
 * tasks of Dean and Ghemawat (MapReduce 2004, section 3.6) apply the same idea
 * to running tasks.
 *
 * All times are wall time.  Processor time would not show that a node is slow,
 * because a job of another user does not increase it.
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
	/*
	 * weighted sums of the finished items and of their seconds over the
	 * whole run: older batches keep most of their weight
	 */
	double mean_items, mean_seconds;
	uint64_t most; /* items of its largest batch */
	/* number of items in the batch that the node is working on */
	uint64_t running;
	double since_s; /* when the node began its current batch */
	/* number of items in the batch that is on its way to the node */
	uint64_t coming;
	double sent_s; /* when the transfer of that batch began */
	double item_s; /* seconds per item of the last transfer to the node */
	double fast_s; /* the same of the fastest transfer; 0: there was none */
	double ended_s; /* when the node finished its last batch */
	uint64_t held;	/* number of items in its finished batches */
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
 * Tell what happens to a batch of a node: its transfer to the node begins or
 * ends, or the node begins or ends the work on it. The work took `seconds`. Do
 * not call the first two functions if the node needs no transfer.
 */
void batches_send(struct batches *, size_t node, uint64_t items, double now_s);
void batches_sent(struct batches *, size_t node, double now_s);
void batches_begin(struct batches *, size_t node, uint64_t items, double now_s);
void batches_end(struct batches *, size_t node, uint64_t items, double seconds);

/*
 * Returns the node's speed in items per second; 0 if it is unknown. If the
 * node's current batch takes longer than expected, the speed falls before the
 * batch ends. If a batch takes far longer than expected, the node has become
 * slow, and its earlier batches do not count any more.
 */
double batches_speed(const struct batches *, size_t node, double now_s);

/*
 * Returns the node's speed during the whole run so far, for the work after the
 * batches; 0 if it is unknown. The times of single batches vary, so this speed
 * is an average over many batches, unless the node has become much slower or
 * faster.
 */
double batches_mean_speed(const struct batches *, size_t node, double now_s);

/*
 * Returns how long the node works on `items` items in the phases after the
 * batches; INFINITY if its speed is unknown. It merges them as fast as it has
 * sorted batches. Meanwhile it moves each item `moves` times over its link,
 * which is as fast as the fastest transfer of a batch.
 */
double batches_later_s(const struct batches *, size_t node, uint64_t items,
    unsigned moves, double now_s);

/*
 * Returns how many items the node's next batch should have, if `left` items are
 * left: at least 1, or 0 if none are left. O(n).
 */
uint64_t
batches_next(const struct batches *, size_t node, uint64_t left, double now_s);

/*
 * Returns the node whose finished batches would take the longest time if the
 * node had to work on them again.
 */
size_t batches_slowest(const struct batches *, double now_s);

/* What a node does with a batch that it has got. */
enum batch_state {
	BATCH_WAITS, /* the batch is on its way to the node, or waits there */
	BATCH_RUNS,
	BATCH_ENDED
};

/*
 * Returns whether a batch of node `from` should move to the idle node `to`.
 * Node `to` must finish the batch in less than half of the time that node
 * `from` still needs. A finished batch moves if the later work of node `from`
 * takes much longer than the later work of node `to` after the move. Later work
 * is taken to last as long as all finished batches of the node would last now.
 */
int batches_moves(const struct batches *, size_t from, size_t to,
    uint64_t items, enum batch_state, double now_s);
/*
 * Tells that a batch has left the node. If the batch was late, the time that
 * the node would have needed for it is estimated, and counts for its speed.
 */
void batches_leave(struct batches *, size_t node, uint64_t items,
    enum batch_state, double now_s);

#endif

#ifndef HP_SHARE_REACH_H
#define HP_SHARE_REACH_H

/*
 * Whether the nodes can finish all items if each stage has a time limit.
 *
 * In four stages the time of a node grows with its items. In the exchange it
 * falls again beyond half of all items, and at most one node has more than
 * half. So there is one case in which no node has more than half, and one case
 * for each node that has. Within a case, longer limits never take fewer items.
 */

#include "share/stages.h"

#define REACH_NONE SIZE_MAX /* no node has more than half of the items */

struct reach {
	const struct problem *p;
	size_t n;		/* nodes */
	uint64_t *most[STAGES]; /* [n] items of a node by one stage's limit */
	uint64_t *cap;		/* [n] the least of these over all stages */
	uint64_t launcher;	/* most items of all hosts */
	uint64_t away;		/* most items of all nodes but the big one */
};

int reach_init(struct reach *, const struct problem *, struct hp_err *);
void reach_fini(struct reach *);

/*
 * Returns whether all items can be finished if stage k has the limit T[k] and
 * `big` is the node with more than half, or REACH_NONE. Fills the struct for
 * the next two functions. O(nodes), as searches begin at the last result.
 */
bool reach_all(struct reach *, const double *T, size_t big);

/*
 * Stores in n[] shares that keep the limits of the last call of reach_all,
 * which returned true for the same `big`.
 */
void reach_shares(const struct reach *, size_t big, uint64_t *n);

/*
 * Returns whether the limit `shorter` of a stage holds no node back that
 * another stage would not hold back: after reach_all with a longer limit.
 */
bool reach_idle(struct reach *, enum stages_kind, double shorter, size_t big);

#endif

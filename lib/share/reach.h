#ifndef HP_SHARE_REACH_H
#define HP_SHARE_REACH_H

/*
 * Whether the nodes can finish all items if each stage has a time limit.
 *
 * The time of a node does not fall as its items grow, except in the exchange.
 * There it falls again beyond half of all items. At most one node has more than
 * half. So there is one case in which no node has more than half, and one case
 * for each node that has. Within a case, longer limits never allow fewer items.
 */

#include "share/stages.h"

/*
 * The parameter `big` is the rank of the node with more than half of all items;
 * this value: no node has.
 */
#define REACH_NONE SIZE_MAX

struct reach {
	const struct problem *p;
	size_t n; /* nodes */
	/*
	 * most[k][i] is the largest number of items for which node i finishes
	 * stage k within its time limit.
	 */
	uint64_t *most[STAGES];
	/*
	 * The limits, and the node with more than half of the items, for which
	 * `most` was computed. A stage whose limit has not changed is not
	 * computed again.
	 */
	double T[STAGES];
	size_t big;
	/*
	 * cap[i] is the number of items that node i can take: the smallest of
	 * most[k][i] over all stages k. If the launcher cannot exchange data
	 * with all remote nodes in time, cap[i] is 0 for those that can take
	 * the fewest items.
	 */
	uint64_t *cap;
	/*
	 * Within its time limits, the launcher can exchange at most this many
	 * items with remote hosts, and serve at most this many nodes there.
	 */
	struct stages_load launcher;
	/* temporary array, to sort the capacities of remote nodes */
	uint64_t *order;
	/*
	 * most items that all other nodes together may have if one node has
	 * more than half of the items
	 */
	uint64_t away;
};

int reach_init(struct reach *, const struct problem *, struct hp_err *);
void reach_fini(struct reach *);

/*
 * Returns whether the nodes can finish all items if stage k must finish within
 * the time T[k]. `big` is the rank of the node with more than half of the
 * items, or REACH_NONE if there is none. Fills the struct for the next two
 * functions. O(nodes), because each search begins at the result of the last
 * call; O(nodes log nodes) if the launcher cannot serve all hosts.
 */
bool reach_all(struct reach *, const double *T, size_t big);

/*
 * Stores the shares of the nodes in n[]. Call this after reach_all has returned
 * true, with the same `big`. With these shares, each stage keeps the time limit
 * that was passed to reach_all.
 */
void reach_shares(const struct reach *, size_t big, uint64_t *n);

/*
 * Returns whether a stage can have the time limit `shorter` without allowing
 * any node fewer items, because the limits of other stages already allow no
 * more. Call this function after reach_all with a longer limit.
 */
bool reach_idle(struct reach *, enum stages_kind, double shorter, size_t big);

#endif

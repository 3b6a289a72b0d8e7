#ifndef HP_SHARE_ASSIGN_H
#define HP_SHARE_ASSIGN_H

/*
 * Assigns whole sublists to nodes of different speeds. The largest sublist goes
 * first. Each goes to the node that would finish it earliest, after the
 * sublists it already has. This is the task queue of sorting by
 * over-partitioning (Li and Sevcik 1994; Cérin, Koskas, Jemni, Fkaier 2004,
 * section 2.2; Graham 1969 for equal machines).
 *
 * With this greedy rule alone, a slow node can lack up to one of the smallest
 * sublists. A local search therefore improves the result. It takes a sublist of
 * the node that finishes last. It moves this to another node, or swaps it for
 * one of that node's sublists. Both nodes must then finish earlier than the
 * last node does now. It stops when no exchange helps or all nodes finish
 * within 0.01 % of each other.
 */

#include "base/err.h"
#include "share/cluster.h"

/*
 * How tasks are assigned to nodes: by the greedy rule alone, as published, or
 * improved by exchanges between nodes.
 */
enum assign_method {
	ASSIGN_GREEDY,
	ASSIGN_EXCHANGE
};

/*
 * Stores in to[i] the rank that gets the sublist of size[i] items. A node's
 * time is the sum of the times of its sublists by its curve. No node gets more
 * items than the limit of its curve. Ties go to the lower sublist and the lower
 * rank. Fails with HP_NOSHARE if no node has room for the next sublist. O(n
 * (log n + nodes)), and O(n log n) for each of at most 4 n exchanges.
 */
int share_assign(const struct cluster *, const uint64_t *size, size_t n,
    enum assign_method, uint32_t *to, struct hp_err *);

#endif

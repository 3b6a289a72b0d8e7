#ifndef HP_SHARE_SEARCH_H
#define HP_SHARE_SEARCH_H

/*
 * The optimum for times that do not fall.
 */

#include "share/cluster.h"

/*
 * The time T by which the nodes together can do `total` items, were items
 * divisible: sum_i t_i^-1(T) = total (Cérin, Dubacq and Roch 2006,
 * equation 9, for any mix of costs).  Lastovetsky and Reddy's lines give the
 * bracket that Newton's method stays in: O(p) a step, a handful of steps. total
 * must fit into the nodes.
 */
double share_root(const struct cluster *, uint64_t total);

/*
 * n[p]: the integer shares with the least makespan, sum exactly total, which
 * must fit into the nodes.  O(p log total).
 */
int share_exact(
    const struct cluster *, uint64_t total, uint64_t *n, struct hp_err *);

#endif

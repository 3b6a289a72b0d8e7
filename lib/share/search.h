#ifndef HP_SHARE_SEARCH_H
#define HP_SHARE_SEARCH_H

/* The optimal shares for non-decreasing times. */

#include "share/cluster.h"

/*
 * Returns the time T by which the nodes together finish `total` items if items
 * are divisible: sum_i t_i^-1(T) = total (Cérin, Dubacq and Roch 2006, equation
 * 9, for any mix of costs). Newton's method finds it within the bracket given
 * by the lines of Lastovetsky and Reddy. Each of its few steps takes O(p). The
 * nodes must have room for total. Adds the number of times that all t_i^-1 were
 * computed to *steps, unless steps is NULL.
 */
double share_root(const struct cluster *, uint64_t total, unsigned *steps);

/*
 * Stores in n[p] the shares, as whole numbers of items, with the least
 * makespan. The shares add up to total, which the nodes must be able to take.
 * Stores in *steps how often all shares were computed. O(p log total).
 */
int share_exact(const struct cluster *, uint64_t total, uint64_t *n,
    unsigned *steps, struct hp_err *);

#endif

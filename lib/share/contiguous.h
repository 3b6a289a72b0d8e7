#ifndef HP_SHARE_CONTIGUOUS_H
#define HP_SHARE_CONTIGUOUS_H

/*
 * Divides a sequence of items of different weights into contiguous parts, one
 * for each node in the order of the ranks, so that the last node finishes as
 * early as possible.  The time of a part is the time that its node needs for
 * the sum of the part's weights.
 *
 * To test a time T, each node in turn takes as many items as it can finish by
 * T.  T is feasible if all items are taken in this way (the probe of Iqbal
 * 1991; Pinar and Aykanat 2004 for nodes of different speeds).  Bisection finds
 * the least double that is feasible, so the makespan is exactly the optimum.
 */

#include "share/cluster.h"
#include "share/prefix.h"

/*
 * Returns the time for items of this total weight: 0 for weight 0, infinity
 * above the node's limit.
 */
double contiguous_time(const struct curve *, double weight);

/*
 * Computes the shares.
 *   sum[n + 1]  weight of the first i items; sum[0] is 0; must not decrease
 *   share[p]    items of each node; their sum is n
 *   unique      no other cuts have the same makespan
 * Of all optimal cuts, those nearest to the shares of divisible work are taken.
 * The times must not decrease.  Fails with HP_NOSHARE if no cuts fit the nodes.
 * O(p log n) for each of 64 probes.
 */
int share_contiguous(const struct cluster *, const struct prefix *sum,
    uint64_t n, uint64_t *share, bool *unique, struct hp_err *);

#endif

#ifndef HP_SHARE_SHAPE_H
#define HP_SHARE_SHAPE_H

/*
 * The optimal shares for times of any shape, including decreasing ones, at any
 * N. A time T suffices if and only if N is a sum of one number per node. Each
 * node must be able to do its number of items by T. These numbers form a few
 * ranges, and so do their sums. Bisection over the doubles finds the least
 * sufficient T to the last bit. The next smaller double does not suffice, which
 * proves that T is optimal.
 */

#include "share/certify.h"
#include "share/cluster.h"

/*
 * Stores in n[p] the shares with the smallest makespan. The nodes must be able
 * to take all items. About 60 steps of bisection, each O(p points log N). A
 * step takes longer if the numbers of items that the nodes can finish by a time
 * form many ranges. They form few if each node can finish any small number of
 * items.
 */
int share_shape(
    const struct cluster *, uint64_t total, uint64_t *n, struct hp_err *);

/*
 * Proves whether a plan has the smallest possible makespan. A node may take
 * less time for more items. Does not set the members `below` and `upto`.
 */
int share_shape_certify(const struct cluster *, uint64_t total,
    const uint64_t *n, struct certificate *, struct hp_err *);

#endif

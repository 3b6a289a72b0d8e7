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
 * Stores in n[p] the shares with the smallest makespan. The nodes must have
 * room for total. If the possible sums of shares form few ranges, this takes
 * about 60 times O(p points log N). There are few ranges if each node can do
 * any small number of items in time.
 */
int share_shape(
    const struct cluster *, uint64_t total, uint64_t *n, struct hp_err *);

/*
 * Certifies any plan, also for decreasing times. It does not set `below` and
 * `upto`.
 */
int share_shape_certify(const struct cluster *, uint64_t total,
    const uint64_t *n, struct certificate *, struct hp_err *);

#endif

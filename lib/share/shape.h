#ifndef HP_SHARE_SHAPE_H
#define HP_SHARE_SHAPE_H

/*
 * The optimum for times of any shape, falling ones too, at any N.  A time T
 * suffices if and only if N is a sum of one number of items for each node that
 * it can do by T; those numbers are few ranges, and so are their sums.  Halving
 * between the doubles, T is found to the last bit: it suffices and the double
 * below it does not, which is also the proof.
 */

#include "share/certify.h"
#include "share/cluster.h"

/*
 * n[p]: shares with the least makespan; total must fit into the nodes.  About
 * 60 times O(p points log N) where the sums stay few ranges, as they do when
 * nodes can do any small number of items.
 */
int share_shape(
    const struct cluster *, uint64_t total, uint64_t *n, struct hp_err *);

/* The certificate of any plan; below and upto are not set. */
int share_shape_certify(const struct cluster *, uint64_t total,
    const uint64_t *n, struct certificate *, struct hp_err *);

#endif

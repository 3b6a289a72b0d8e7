#ifndef HP_SHARE_BOXES_H
#define HP_SHARE_BOXES_H

/*
 * The shares with the least sum of the stages, and a proven lower bound.
 *
 * Give each stage a time limit. The best plan is the least sum of five limits
 * for which reach_all holds. The search divides the space of the limits into
 * boxes (branch and bound for monotonic functions: Tuy, "Monotonic
 * Optimization: Problems and Solution Approaches", SIAM Journal on
 * Optimization 11(2), 2000). If not even the longest limits of a box suffice,
 * no plan is in it. No plan in a box is faster than the sum of its shortest
 * limits. Boxes that cannot contain a better plan than the best known one are
 * dropped, and the others are halved. This needs neither convex times nor
 * divisible items.
 */

#include "share/stages.h"

/* The search ends when the best plan is this near to the bound, relatively. */
#define BOXES_NEAR 1e-6

/*
 * Stores in n[] the shares of the best plan found, and in *bound the proven
 * lower bound of all makespans. The nodes must have room for all items, and
 * their times must not decrease. The bound is within BOXES_NEAR, unless the
 * search ends early because it has examined too many boxes.
 */
int boxes_solve(
    const struct problem *, uint64_t *n, double *bound, struct hp_err *);

#endif

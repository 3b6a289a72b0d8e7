#ifndef HP_SHARE_BOXES_H
#define HP_SHARE_BOXES_H

/*
 * The shares with the least sum of the stages, and a proven lower bound.
 *
 * Give each stage a time limit. The best plan is the least sum of such limits
 * for which reach_all holds. The search divides the space of the limits into
 * boxes (branch and bound for monotonic functions: Tuy, "Monotonic
 * Optimization: Problems and Solution Approaches", SIAM Journal on Optimization
 * 11(2), 2000). If not even the longest limits of a box suffice, no plan is in
 * it. No plan in a box is faster than the sum of its shortest limits. Boxes
 * that cannot contain a better plan than the best known one are dropped, and
 * the others are halved. This needs neither convex times nor divisible items.
 */

#include "share/stages.h"

/*
 * The search ends when the makespan of the best plan exceeds the lower bound by
 * no more than this fraction.
 */
#define BOXES_NEAR 1e-6

/*
 * Searches for the plan with the smallest makespan of a whole run. Stores its
 * shares in n[], and a proven lower bound of all makespans in *bound. The nodes
 * must be able to take all items, and their times must not decrease. The
 * makespan of the plan exceeds the bound by at most the fraction BOXES_NEAR,
 * unless the search stops early because it has examined too many boxes.
 */
int boxes_solve(
    const struct problem *, uint64_t *n, double *bound, struct hp_err *);

#endif

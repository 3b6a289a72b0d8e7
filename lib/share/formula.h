#ifndef HP_SHARE_FORMULA_H
#define HP_SHARE_FORMULA_H

/*
 * Methods that compute shares from the nodes' speeds by a closed formula and
 * round them. The formulas do not consider capacities and latencies. If a share
 * exceeds the capacity of its node, the excess goes to the nodes that finish it
 * first. O(p log p). All methods fail with HP_USAGE if a node lacks the speed
 * that the formula needs.
 */

#include "share/problem.h"

int formula_equal(const struct problem *, struct division *, struct hp_err *);
int formula_proportional(
    const struct problem *, struct division *, struct hp_err *);
/* The next four functions compute shares for the cost n log n. */
int formula_taylor(const struct problem *, struct division *, struct hp_err *);
int formula_newton(const struct problem *, struct division *, struct hp_err *);
int
formula_asymptotic(const struct problem *, struct division *, struct hp_err *);
int formula_asymptotic_printed(
    const struct problem *, struct division *, struct hp_err *);

#endif

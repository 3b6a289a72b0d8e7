#ifndef HP_SHARE_FORMULA_H
#define HP_SHARE_FORMULA_H

/*
 * Methods by closed formula: real shares computed from the speeds alone, then
 * rounded. The formulas know neither capacities nor latencies. A share above a
 * node's capacity is cut, and the excess goes to the nodes that finish it
 * earliest. O(p log p). All fail with HP_USAGE if a node lacks the speed that
 * the formula needs.
 */

#include "share/problem.h"

int formula_equal(const struct problem *, struct division *, struct hp_err *);
int formula_proportional(
    const struct problem *, struct division *, struct hp_err *);
/* The next four formulas are for the cost n log n. */
int formula_taylor(const struct problem *, struct division *, struct hp_err *);
int formula_newton(const struct problem *, struct division *, struct hp_err *);
int
formula_asymptotic(const struct problem *, struct division *, struct hp_err *);
int formula_asymptotic_printed(
    const struct problem *, struct division *, struct hp_err *);

#endif

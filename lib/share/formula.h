#ifndef HP_SHARE_FORMULA_H
#define HP_SHARE_FORMULA_H

/*
 * The methods by formula: real shares of the speeds alone, rounded.  They know
 * nothing of what a node can hold or what it takes to reach it: a node gets
 * what it can take, and what is left goes to where it is done first.  O(p log
 * p).  HP_USAGE when a node lacks the speed that is needed.
 */

#include "share/problem.h"

int formula_equal(const struct problem *, struct division *, struct hp_err *);
int formula_proportional(
    const struct problem *, struct division *, struct hp_err *);
/* For the cost n log n. */
int formula_taylor(const struct problem *, struct division *, struct hp_err *);
int
formula_asymptotic(const struct problem *, struct division *, struct hp_err *);
int formula_asymptotic_printed(
    const struct problem *, struct division *, struct hp_err *);

#endif

#ifndef HP_COST_RISES_H
#define HP_COST_RISES_H

/* Checks that a cost function is defined and rises. */

#include "cost/cost.h"

/*
 * Stores in *rises whether f is known not to decrease from 1 to `most` items.
 * The closed forms never decrease. An expression is known not to if interval
 * arithmetic proves it (bounds.h), or if `most` is small enough to evaluate
 * every size. Fails with HP_USAGE and the place if f is found to decrease, to
 * be negative or not to be a number.
 *
 * Evaluation in doubles is not exact. So f(n) counts as a decrease only if it
 * is below COST_LEVEL times f of a smaller size.
 */
#define COST_LEVEL (1 - 1e-11)
int cost_check(const struct cost *, double most, bool *rises, struct hp_err *);
/*
 * Evaluates f at n - 1, n and n + 1. Fails with HP_USAGE if f decreases there.
 * Call it for each share n of a plan if cost_check could not find out whether f
 * increases everywhere.
 */
int cost_check_at(const struct cost *, double n, struct hp_err *);

#endif

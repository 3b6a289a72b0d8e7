#ifndef HP_COST_BOUNDS_H
#define HP_COST_BOUNDS_H

/*
 * Bounds of a cost expression in n, and of its derivative, over an interval of
 * real numbers n. The method is interval arithmetic (Moore 1966): every bound
 * is rounded outwards. The rounding error of evaluating the expression in
 * doubles is bounded, too.
 */

#include "cost/form.h"

struct bounds {
	double lo, hi;	 /* bounds of the exact value */
	double dlo, dhi; /* bounds of the derivative, where it exists */
	double error;	 /* largest rounding error of a computed value */
	/*
	 * whether the bounds are known; if not, the expression may have any
	 * value and need not be continuous
	 */
	bool known;
};

/*
 * Returns bounds of the expression's value and derivative for a <= n <= b. If
 * the member `known` of the result is true, the exact value is also continuous
 * in this range. O(form->n).
 */
struct bounds form_bounds(const struct form *, double a, double b);

#endif

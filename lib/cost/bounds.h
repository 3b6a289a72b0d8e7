#ifndef HP_COST_BOUNDS_H
#define HP_COST_BOUNDS_H

/*
 * Bounds of a cost expression and of its derivative over all real n in an
 * interval, by interval arithmetic (Moore 1966). Every bound is rounded
 * outwards. The rounding error of an evaluation in doubles is bounded as well.
 */

#include "cost/form.h"

struct bounds {
	double lo, hi;	 /* bounds of the exact value */
	double dlo, dhi; /* bounds of the derivative, where it exists */
	double error;	 /* largest rounding error of a computed value */
	bool known; /* false: the expression may have any value and may jump */
};

/*
 * Returns bounds of the expression's value and derivative for a <= n <= b.
 * Known bounds also prove that the exact value is continuous there. O(form->n).
 */
struct bounds form_bounds(const struct form *, double a, double b);

#endif

#ifndef HP_COST_BOUNDS_H
#define HP_COST_BOUNDS_H

/*
 * What a cost expression and its derivative can be for all real n in an
 * interval, by interval arithmetic (Moore 1966): every bound is rounded
 * outwards.  Also how far a value computed in doubles can be from the exact
 * one.
 */

#include "cost/form.h"

struct bounds {
	double lo, hi;	 /* of the exact value */
	double dlo, dhi; /* of the derivative, wherever there is one */
	double error;	 /* of a computed value, at most */
	bool known;	 /* else the value can be anything, or jump */
};

/* Where the bounds are known the exact value is continuous.  O(form->n). */
struct bounds form_bounds(const struct form *, double a, double b);

#endif

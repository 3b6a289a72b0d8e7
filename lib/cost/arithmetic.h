#ifndef HP_COST_ARITHMETIC_H
#define HP_COST_ARITHMETIC_H

/*
 * Arithmetic with bounds. Each operation takes the bounds of its operands and
 * returns the bounds of the result, of its derivative and of its rounding
 * error. If nothing is known about the result, it returns bounds_unknown.
 */

#include "cost/bounds.h"
#include "cost/interval.h"

static const struct bounds bounds_unknown = { .known = false };

static inline struct interval
bounds_value(struct bounds x)
{
	return (struct interval){ x.lo, x.hi };
}

/*
 * Returns the interval in which a value computed in doubles can lie: the bounds
 * of the exact value, widened by the rounding error.
 */
static inline struct interval
bounds_computed(struct bounds x)
{
	return x.error == 0 ? bounds_value(x)
			    : (struct interval){ interval_down(x.lo - x.error),
				      interval_up(x.hi + x.error) };
}

/* Returns the bounds of a number that is exact and does not depend on n. */
static inline struct bounds
bounds_constant(double x)
{
	return (struct bounds){ .lo = x, .hi = x, .known = true };
}

/* Returns whether the value is exactly this number. */
static inline bool
bounds_exactly(struct bounds x, double what)
{
	return x.known && x.lo == what && x.hi == what && x.error == 0;
}

struct bounds bounds_add(struct bounds, struct bounds);
struct bounds bounds_negative(struct bounds);
struct bounds bounds_multiply(struct bounds, struct bounds);
struct bounds bounds_divide(struct bounds, struct bounds);
/*
 * Returns the bounds of f(x), where f is log, log2 or log10. `slope` is the
 * derivative of f at 1.
 */
struct bounds bounds_log(struct bounds, double (*f)(double), double slope);
struct bounds bounds_exp(struct bounds);
struct bounds bounds_power(struct bounds x, struct bounds y);
struct bounds bounds_sqrt(struct bounds);
struct bounds bounds_sin(struct bounds);
struct bounds bounds_cos(struct bounds);
struct bounds bounds_abs(struct bounds);
/* Returns the bounds of the smaller of two values. */
struct bounds bounds_min(struct bounds, struct bounds);

#endif

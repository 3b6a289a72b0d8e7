#ifndef HP_COST_INTERVAL_H
#define HP_COST_INTERVAL_H

/*
 * Interval arithmetic (Moore 1966): the result of an operation is an interval
 * that contains all values which it can have for operands in the given
 * intervals. The bounds are rounded outwards. Only infinity, and 0 as a sum or
 * product, are exact.
 */

#include <float.h>
#include <math.h>

/*
 * Relative rounding errors of one operation, as multiples of 2^-53, the error
 * of a single rounding. muparser, which evaluates the expressions, combines
 * operations, so ROUNDED allows four roundings. BY_LIBM is for functions of
 * libm, such as exp, whose last places may be wrong.
 */
#define ROUNDED (4 * 0x1p-53)
#define BY_LIBM (16 * 0x1p-53)

struct interval {
	double lo, hi;
};

static inline double
interval_down(double x)
{
	return x == 0 || isinf(x) ? x : nextafter(x, -INFINITY);
}

static inline double
interval_up(double x)
{
	return x == 0 || isinf(x) ? x : nextafter(x, INFINITY);
}

static inline double
interval_most(struct interval x)
{
	return fmax(fabs(x.lo), fabs(x.hi));
}

/*
 * Adds two intervals and rounds the bounds outwards. A bound of 0 is not
 * rounded: a sum of two doubles is 0 only if it is exact.
 */
static inline struct interval
interval_sum(struct interval x, struct interval y)
{
	return (struct interval){ interval_down(x.lo + y.lo),
		interval_up(x.hi + y.hi) };
}

static inline struct interval
interval_minus(struct interval x)
{
	return (struct interval){ -x.hi, -x.lo };
}

static inline struct interval
interval_hull(struct interval x, struct interval y)
{
	return (struct interval){ fmin(x.lo, y.lo), fmax(x.hi, y.hi) };
}

/*
 * Returns an interval that contains the exact product of two doubles. 0 times
 * infinity counts as 0.
 */
static inline struct interval
interval_times(double x, double y)
{
	double xy = x * y;

	if (x == 0 || y == 0)
		return (struct interval){ 0, 0 };
	if (xy == 0)
		return (struct interval){ -DBL_TRUE_MIN, DBL_TRUE_MIN };
	return (struct interval){ interval_down(xy), interval_up(xy) };
}

static inline struct interval
interval_product(struct interval x, struct interval y)
{
	return interval_hull(interval_hull(interval_times(x.lo, y.lo),
				 interval_times(x.lo, y.hi)),
	    interval_hull(
		interval_times(x.hi, y.lo), interval_times(x.hi, y.hi)));
}

/* Returns 1/x; x must not contain 0. */
static inline struct interval
interval_inverse(struct interval x)
{
	return (
	    struct interval){ interval_down(1 / x.hi), interval_up(1 / x.lo) };
}

/*
 * Returns the range of an increasing libm function over an interval. lo and hi
 * are its computed values at both ends.
 */
static inline struct interval
interval_by_libm(double lo, double hi)
{
	return (struct interval){ isinf(lo) ? lo : lo - fabs(lo) * BY_LIBM,
		isinf(hi) ? hi : hi + fabs(hi) * BY_LIBM };
}

#endif

#ifndef HP_COST_SPAN_H
#define HP_COST_SPAN_H

/*
 * Interval arithmetic (Moore 1966): the result of an operation is an interval
 * that contains all values which it can have for operands in the given
 * intervals. The bounds are rounded outwards. Only infinity, and 0 as a sum or
 * product, are exact.
 */

#include <float.h>
#include <math.h>

/*
 * Relative errors to allow for. ROUNDED allows four roundings per operation,
 * because muparser combines operations. BY_LIBM allows an error in the last
 * places of a libm function.
 */
#define ROUNDED (4 * 0x1p-53)
#define BY_LIBM (16 * 0x1p-53)

struct span {
	double lo, hi;
};

static inline double
span_down(double x)
{
	return x == 0 || isinf(x) ? x : nextafter(x, -INFINITY);
}

static inline double
span_up(double x)
{
	return x == 0 || isinf(x) ? x : nextafter(x, INFINITY);
}

static inline double
span_most(struct span x)
{
	return fmax(fabs(x.lo), fabs(x.hi));
}

/*
 * Adds two intervals and rounds the bounds outwards. A bound of 0 is not
 * rounded: a sum of two doubles is 0 only if it is exact.
 */
static inline struct span
span_sum(struct span x, struct span y)
{
	return (struct span){ span_down(x.lo + y.lo), span_up(x.hi + y.hi) };
}

static inline struct span
span_minus(struct span x)
{
	return (struct span){ -x.hi, -x.lo };
}

static inline struct span
span_hull(struct span x, struct span y)
{
	return (struct span){ fmin(x.lo, y.lo), fmax(x.hi, y.hi) };
}

/*
 * Returns an interval that contains the exact product of two doubles. 0 times
 * infinity counts as 0.
 */
static inline struct span
span_times(double x, double y)
{
	double xy = x * y;

	if (x == 0 || y == 0)
		return (struct span){ 0, 0 };
	if (xy == 0)
		return (struct span){ -DBL_TRUE_MIN, DBL_TRUE_MIN };
	return (struct span){ span_down(xy), span_up(xy) };
}

static inline struct span
span_product(struct span x, struct span y)
{
	return span_hull(
	    span_hull(span_times(x.lo, y.lo), span_times(x.lo, y.hi)),
	    span_hull(span_times(x.hi, y.lo), span_times(x.hi, y.hi)));
}

/* Returns 1/x; x must not contain 0. */
static inline struct span
span_inverse(struct span x)
{
	return (struct span){ span_down(1 / x.hi), span_up(1 / x.lo) };
}

/*
 * Returns the range of an increasing libm function over an interval. lo and hi
 * are its computed values at both ends.
 */
static inline struct span
span_by_libm(double lo, double hi)
{
	return (struct span){ isinf(lo) ? lo : lo - fabs(lo) * BY_LIBM,
		isinf(hi) ? hi : hi + fabs(hi) * BY_LIBM };
}

#endif

#ifndef HP_COST_SPAN_H
#define HP_COST_SPAN_H

/*
 * Interval arithmetic (Moore 1966): the result contains every value that the
 * operation can have for values in the operands. Bounds are rounded outwards.
 * Two kinds of bounds are exact and not rounded: infinity, and 0 as the result
 * of a sum or a product.
 */

#include <float.h>
#include <math.h>

/*
 * Relative error bounds. ROUNDED allows four roundings for one operation,
 * because muparser fuses operations. BY_LIBM allows some units in the last
 * place for a function of libm.
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

/* A sum of doubles that comes out as 0 is exact, so 0 is not widened. */
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
 * Returns an interval around the product of two doubles. 0 times infinity is 0.
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
 * Returns the range of an increasing libm function from its computed values at
 * both ends.
 */
static inline struct span
span_by_libm(double lo, double hi)
{
	return (struct span){ isinf(lo) ? lo : lo - fabs(lo) * BY_LIBM,
		isinf(hi) ? hi : hi + fabs(hi) * BY_LIBM };
}

#endif

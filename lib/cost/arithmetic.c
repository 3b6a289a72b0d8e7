#include <float.h>
#include <math.h>

#include "cost/arithmetic.h"

static struct span
derivative(struct bounds x)
{
	return (struct span){ x.dlo, x.dhi };
}

/*
 * Makes bounds of a value, its derivative and its rounding error. If one of
 * these is NAN, the bounds are unknown. If the value is infinite, both bounds
 * are infinity. The error may be infinite, too; then no comparison with the
 * value has a known result.
 */
static struct bounds
known(struct span v, struct span d, double error)
{
	if (v.lo == INFINITY || v.hi == -INFINITY)
		return bounds_constant(v.lo);
	if (isnan(v.lo) || isnan(v.hi) || isnan(d.lo) || isnan(d.hi) ||
	    isnan(error))
		return bounds_unknown;
	return (struct bounds){ v.lo, v.hi, fmin(d.lo, DBL_MAX),
		fmax(d.hi, -DBL_MAX), error, true };
}

struct bounds
bounds_add(struct bounds x, struct bounds y)
{
	struct span v = span_sum(bounds_value(x), bounds_value(y));

	return known(v, span_sum(derivative(x), derivative(y)),
	    x.error + y.error + ROUNDED * span_most(v));
}

struct bounds
bounds_negative(struct bounds x)
{
	return known(
	    span_minus(bounds_value(x)), span_minus(derivative(x)), x.error);
}

struct bounds
bounds_multiply(struct bounds x, struct bounds y)
{
	struct span v = span_product(bounds_value(x), bounds_value(y));

	if (bounds_exactly(x, 0) || bounds_exactly(y, 0))
		return bounds_constant(0);
	return known(v,
	    span_sum(span_product(derivative(x), bounds_value(y)),
		span_product(bounds_value(x), derivative(y))),
	    span_most(bounds_value(x)) * y.error +
		span_most(bounds_value(y)) * x.error + x.error * y.error +
		ROUNDED * span_most(v) + DBL_MIN);
}

struct bounds
bounds_divide(struct bounds x, struct bounds y)
{
	struct span c = bounds_computed(y), over, v;
	double least = fmin(fabs(c.lo), fabs(c.hi));

	if (!(c.lo > 0 || c.hi < 0))
		return bounds_unknown;
	over = span_inverse(bounds_value(y));
	v = span_product(bounds_value(x), over);
	return known(v,
	    span_product(span_sum(derivative(x),
			     span_minus(span_product(v, derivative(y)))),
		over),
	    (x.error + span_most(v) * y.error) / least * (1 + BY_LIBM) +
		ROUNDED * span_most(v) + DBL_MIN);
}

struct bounds
bounds_log(struct bounds x, double (*f)(double), double slope)
{
	struct span c = bounds_computed(x), v;

	if (!(c.lo > 0))
		return bounds_unknown;
	v = span_by_libm(f(x.lo), f(x.hi));
	return known(v,
	    span_product(
		span_product(derivative(x), span_inverse(bounds_value(x))),
		span_by_libm(slope, slope)),
	    2 * slope * x.error / c.lo + BY_LIBM * span_most(v));
}

struct bounds
bounds_exp(struct bounds x)
{
	struct span v = span_by_libm(exp(x.lo), exp(x.hi));

	v.hi = fmax(v.hi, DBL_MIN);
	return known(v, span_product(derivative(x), v),
	    x.error < 0.1 ? v.hi * (2 * x.error + BY_LIBM) + DBL_MIN
			  : INFINITY);
}

/* Bounds of x^y for x > 0, which is monotonic in x and in y. */
struct bounds
bounds_power(struct bounds x, struct bounds y)
{
	struct span c = bounds_computed(x), v, log_x;
	double relative;

	if (x.lo == x.hi && y.lo == y.hi && x.error == 0 && y.error == 0) {
		v = span_by_libm(pow(x.lo, y.lo), pow(x.lo, y.lo));
		return known(v, (struct span){ 0, 0 }, BY_LIBM * span_most(v));
	}
	if (!(c.lo > 0))
		return bounds_unknown;
	v = span_hull(span_by_libm(pow(x.lo, y.lo), pow(x.lo, y.lo)),
	    span_by_libm(pow(x.lo, y.hi), pow(x.lo, y.hi)));
	v = span_hull(v,
	    span_hull(span_by_libm(pow(x.hi, y.lo), pow(x.hi, y.lo)),
		span_by_libm(pow(x.hi, y.hi), pow(x.hi, y.hi))));
	v.hi = fmax(v.hi, DBL_MIN);
	log_x = span_by_libm(log(x.lo), log(x.hi));
	relative = span_most(bounds_value(y)) * x.error / c.lo +
	    span_most(log_x) * y.error;
	return known(v,
	    span_product(v,
		span_sum(span_product(derivative(y), log_x),
		    span_product(span_product(bounds_value(y), derivative(x)),
			span_inverse(bounds_value(x))))),
	    relative < 0.1 ? v.hi * (2 * relative + BY_LIBM) + DBL_MIN
			   : INFINITY);
}

struct bounds
bounds_sqrt(struct bounds x)
{
	struct span c = bounds_computed(x), v, slope;

	if (!(c.lo > 0))
		return x.lo == 0 && x.hi == 0 && x.error == 0 ? x
							      : bounds_unknown;
	v = (struct span){ span_down(sqrt(x.lo)), span_up(sqrt(x.hi)) };
	slope = span_inverse((struct span){ 2 * v.lo, 2 * v.hi });
	return known(v, span_product(derivative(x), slope),
	    x.error / sqrt(c.lo) + ROUNDED * v.hi);
}

/*
 * Returns bounds of sin or cos over an interval, from the value in its middle.
 * The function changes by at most as much as its argument.
 */
static struct span
wave(struct span x, double (*f)(double))
{
	double middle = x.lo + (x.hi - x.lo) / 2;
	double reach = span_up(fmax(x.hi - middle, middle - x.lo)) + BY_LIBM;

	if (!(reach < 2))
		return (struct span){ -1, 1 };
	return (struct span){ fmax(span_down(f(middle) - reach), -1),
		fmin(span_up(f(middle) + reach), 1) };
}

struct bounds
bounds_sin(struct bounds x)
{
	return known(wave(bounds_value(x), sin),
	    span_product(derivative(x), wave(bounds_value(x), cos)),
	    x.error + BY_LIBM);
}

struct bounds
bounds_cos(struct bounds x)
{
	return known(wave(bounds_value(x), cos),
	    span_minus(span_product(derivative(x), wave(bounds_value(x), sin))),
	    x.error + BY_LIBM);
}

struct bounds
bounds_abs(struct bounds x)
{
	struct bounds y = bounds_negative(x);
	struct span d = span_hull(derivative(x), derivative(y));

	if (x.lo >= 0)
		return x;
	if (x.hi <= 0)
		return y;
	return known((struct span){ 0, fmax(x.hi, y.hi) }, d, x.error);
}

struct bounds
bounds_min(struct bounds x, struct bounds y)
{
	struct span v = { fmin(x.lo, y.lo), fmin(x.hi, y.hi) };

	if (bounds_computed(x).hi < bounds_computed(y).lo)
		return x;
	if (bounds_computed(y).hi < bounds_computed(x).lo)
		return y;
	return known(
	    v, span_hull(derivative(x), derivative(y)), fmax(x.error, y.error));
}

#include <float.h>
#include <math.h>

#include "cost/arithmetic.h"

static struct interval
derivative(struct bounds x)
{
	return (struct interval){ x.dlo, x.dhi };
}

/*
 * Makes the bounds of an expression from intervals that contain its value and
 * its derivative, and from its largest rounding error. If one of these is NAN,
 * the bounds are unknown. If the value is infinite, both its bounds are
 * infinite. If the error is infinite, no comparison of the value has a certain
 * result.
 */
static struct bounds
known(struct interval v, struct interval d, double error)
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
	struct interval v = interval_sum(bounds_value(x), bounds_value(y));

	return known(v, interval_sum(derivative(x), derivative(y)),
	    x.error + y.error + ROUNDED * interval_most(v));
}

struct bounds
bounds_negative(struct bounds x)
{
	return known(interval_minus(bounds_value(x)),
	    interval_minus(derivative(x)), x.error);
}

struct bounds
bounds_multiply(struct bounds x, struct bounds y)
{
	struct interval v = interval_product(bounds_value(x), bounds_value(y));

	if (bounds_exactly(x, 0) || bounds_exactly(y, 0))
		return bounds_constant(0);
	return known(v,
	    interval_sum(interval_product(derivative(x), bounds_value(y)),
		interval_product(bounds_value(x), derivative(y))),
	    interval_most(bounds_value(x)) * y.error +
		interval_most(bounds_value(y)) * x.error + x.error * y.error +
		ROUNDED * interval_most(v) + DBL_MIN);
}

struct bounds
bounds_divide(struct bounds x, struct bounds y)
{
	struct interval c = bounds_computed(y), over, v;
	double least = fmin(fabs(c.lo), fabs(c.hi));

	if (!(c.lo > 0 || c.hi < 0))
		return bounds_unknown;
	over = interval_inverse(bounds_value(y));
	v = interval_product(bounds_value(x), over);
	return known(v,
	    interval_product(
		interval_sum(derivative(x),
		    interval_minus(interval_product(v, derivative(y)))),
		over),
	    (x.error + interval_most(v) * y.error) / least * (1 + BY_LIBM) +
		ROUNDED * interval_most(v) + DBL_MIN);
}

struct bounds
bounds_log(struct bounds x, double (*f)(double), double slope)
{
	struct interval c = bounds_computed(x), v;

	if (!(c.lo > 0))
		return bounds_unknown;
	v = interval_by_libm(f(x.lo), f(x.hi));
	return known(v,
	    interval_product(interval_product(derivative(x),
				 interval_inverse(bounds_value(x))),
		interval_by_libm(slope, slope)),
	    2 * slope * x.error / c.lo + BY_LIBM * interval_most(v));
}

struct bounds
bounds_exp(struct bounds x)
{
	struct interval v = interval_by_libm(exp(x.lo), exp(x.hi));

	v.hi = fmax(v.hi, DBL_MIN);
	return known(v, interval_product(derivative(x), v),
	    x.error < 0.1 ? v.hi * (2 * x.error + BY_LIBM) + DBL_MIN
			  : INFINITY);
}

/* Bounds of x^y for x > 0, which is monotonic in x and in y. */
struct bounds
bounds_power(struct bounds x, struct bounds y)
{
	struct interval c = bounds_computed(x), v, log_x;
	double relative;

	if (x.lo == x.hi && y.lo == y.hi && x.error == 0 && y.error == 0) {
		v = interval_by_libm(pow(x.lo, y.lo), pow(x.lo, y.lo));
		return known(
		    v, (struct interval){ 0, 0 }, BY_LIBM * interval_most(v));
	}
	if (!(c.lo > 0))
		return bounds_unknown;
	v = interval_hull(interval_by_libm(pow(x.lo, y.lo), pow(x.lo, y.lo)),
	    interval_by_libm(pow(x.lo, y.hi), pow(x.lo, y.hi)));
	v = interval_hull(v,
	    interval_hull(interval_by_libm(pow(x.hi, y.lo), pow(x.hi, y.lo)),
		interval_by_libm(pow(x.hi, y.hi), pow(x.hi, y.hi))));
	v.hi = fmax(v.hi, DBL_MIN);
	log_x = interval_by_libm(log(x.lo), log(x.hi));
	relative = interval_most(bounds_value(y)) * x.error / c.lo +
	    interval_most(log_x) * y.error;
	return known(v,
	    interval_product(v,
		interval_sum(interval_product(derivative(y), log_x),
		    interval_product(
			interval_product(bounds_value(y), derivative(x)),
			interval_inverse(bounds_value(x))))),
	    relative < 0.1 ? v.hi * (2 * relative + BY_LIBM) + DBL_MIN
			   : INFINITY);
}

struct bounds
bounds_sqrt(struct bounds x)
{
	struct interval c = bounds_computed(x), v, slope;

	if (!(c.lo > 0))
		return x.lo == 0 && x.hi == 0 && x.error == 0 ? x
							      : bounds_unknown;
	v = (struct interval){ interval_down(sqrt(x.lo)),
		interval_up(sqrt(x.hi)) };
	slope = interval_inverse((struct interval){ 2 * v.lo, 2 * v.hi });
	return known(v, interval_product(derivative(x), slope),
	    x.error / sqrt(c.lo) + ROUNDED * v.hi);
}

/*
 * Returns bounds of sin or cos over an interval, from the value in its middle.
 * The function changes by at most as much as its argument.
 */
static struct interval
wave(struct interval x, double (*f)(double))
{
	double middle = x.lo + (x.hi - x.lo) / 2;
	double reach = interval_up(fmax(x.hi - middle, middle - x.lo)) +
	    BY_LIBM;

	if (!(reach < 2))
		return (struct interval){ -1, 1 };
	return (struct interval){ fmax(interval_down(f(middle) - reach), -1),
		fmin(interval_up(f(middle) + reach), 1) };
}

struct bounds
bounds_sin(struct bounds x)
{
	return known(wave(bounds_value(x), sin),
	    interval_product(derivative(x), wave(bounds_value(x), cos)),
	    x.error + BY_LIBM);
}

struct bounds
bounds_cos(struct bounds x)
{
	return known(wave(bounds_value(x), cos),
	    interval_minus(
		interval_product(derivative(x), wave(bounds_value(x), sin))),
	    x.error + BY_LIBM);
}

struct bounds
bounds_abs(struct bounds x)
{
	struct bounds y = bounds_negative(x);
	struct interval d = interval_hull(derivative(x), derivative(y));

	if (x.lo >= 0)
		return x;
	if (x.hi <= 0)
		return y;
	return known((struct interval){ 0, fmax(x.hi, y.hi) }, d, x.error);
}

struct bounds
bounds_min(struct bounds x, struct bounds y)
{
	struct interval v = { fmin(x.lo, y.lo), fmin(x.hi, y.hi) };

	if (bounds_computed(x).hi < bounds_computed(y).lo)
		return x;
	if (bounds_computed(y).hi < bounds_computed(x).lo)
		return y;
	return known(v, interval_hull(derivative(x), derivative(y)),
	    fmax(x.error, y.error));
}

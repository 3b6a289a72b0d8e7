#include <float.h>
#include <math.h>

#include "cost/bounds.h"
#include "cost/span.h"

static struct span
value(struct bounds x)
{
	return (struct span){ x.lo, x.hi };
}

static struct span
derivative(struct bounds x)
{
	return (struct span){ x.dlo, x.dhi };
}

/*
 * Returns the interval in which a value computed in doubles can lie: the bounds
 * of the exact value, widened by the rounding error.
 */
static struct span
computed(struct bounds x)
{
	return x.error == 0 ? value(x)
			    : (struct span){ span_down(x.lo - x.error),
				      span_up(x.hi + x.error) };
}

static const struct bounds unknown = { .known = false };

static struct bounds
constant(double x)
{
	return (struct bounds){ .lo = x, .hi = x, .known = true };
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
		return constant(v.lo);
	if (isnan(v.lo) || isnan(v.hi) || isnan(d.lo) || isnan(d.hi) ||
	    isnan(error))
		return unknown;
	return (struct bounds){ v.lo, v.hi, fmin(d.lo, DBL_MAX),
		fmax(d.hi, -DBL_MAX), error, true };
}

static struct bounds
add(struct bounds x, struct bounds y)
{
	struct span v = span_sum(value(x), value(y));

	return known(v, span_sum(derivative(x), derivative(y)),
	    x.error + y.error + ROUNDED * span_most(v));
}

static struct bounds
negative(struct bounds x)
{
	return known(span_minus(value(x)), span_minus(derivative(x)), x.error);
}

static bool
exactly(struct bounds x, double what)
{
	return x.known && x.lo == what && x.hi == what && x.error == 0;
}

static struct bounds
multiply(struct bounds x, struct bounds y)
{
	struct span v = span_product(value(x), value(y));

	if (exactly(x, 0) || exactly(y, 0))
		return constant(0);
	return known(v,
	    span_sum(span_product(derivative(x), value(y)),
		span_product(value(x), derivative(y))),
	    span_most(value(x)) * y.error + span_most(value(y)) * x.error +
		x.error * y.error + ROUNDED * span_most(v) + DBL_MIN);
}

static struct bounds
divide(struct bounds x, struct bounds y)
{
	struct span c = computed(y), over, v;
	double least = fmin(fabs(c.lo), fabs(c.hi));

	if (!(c.lo > 0 || c.hi < 0))
		return unknown;
	over = span_inverse(value(y));
	v = span_product(value(x), over);
	return known(v,
	    span_product(span_sum(derivative(x),
			     span_minus(span_product(v, derivative(y)))),
		over),
	    (x.error + span_most(v) * y.error) / least * (1 + BY_LIBM) +
		ROUNDED * span_most(v) + DBL_MIN);
}

static struct bounds
logarithm(struct bounds x, double (*f)(double), double slope)
{
	struct span c = computed(x), v;

	if (!(c.lo > 0))
		return unknown;
	v = span_by_libm(f(x.lo), f(x.hi));
	return known(v,
	    span_product(span_product(derivative(x), span_inverse(value(x))),
		span_by_libm(slope, slope)),
	    2 * slope * x.error / c.lo + BY_LIBM * span_most(v));
}

static struct bounds
exponential(struct bounds x)
{
	struct span v = span_by_libm(exp(x.lo), exp(x.hi));

	v.hi = fmax(v.hi, DBL_MIN);
	return known(v, span_product(derivative(x), v),
	    x.error < 0.1 ? v.hi * (2 * x.error + BY_LIBM) + DBL_MIN
			  : INFINITY);
}

/* Bounds of x^y for x > 0, which is monotonic in x and in y. */
static struct bounds
power(struct bounds x, struct bounds y)
{
	struct span c = computed(x), v, log_x;
	double relative;

	if (x.lo == x.hi && y.lo == y.hi && x.error == 0 && y.error == 0) {
		v = span_by_libm(pow(x.lo, y.lo), pow(x.lo, y.lo));
		return known(v, (struct span){ 0, 0 }, BY_LIBM * span_most(v));
	}
	if (!(c.lo > 0))
		return unknown;
	v = span_hull(span_by_libm(pow(x.lo, y.lo), pow(x.lo, y.lo)),
	    span_by_libm(pow(x.lo, y.hi), pow(x.lo, y.hi)));
	v = span_hull(v,
	    span_hull(span_by_libm(pow(x.hi, y.lo), pow(x.hi, y.lo)),
		span_by_libm(pow(x.hi, y.hi), pow(x.hi, y.hi))));
	v.hi = fmax(v.hi, DBL_MIN);
	log_x = span_by_libm(log(x.lo), log(x.hi));
	relative = span_most(value(y)) * x.error / c.lo +
	    span_most(log_x) * y.error;
	return known(v,
	    span_product(v,
		span_sum(span_product(derivative(y), log_x),
		    span_product(span_product(value(y), derivative(x)),
			span_inverse(value(x))))),
	    relative < 0.1 ? v.hi * (2 * relative + BY_LIBM) + DBL_MIN
			   : INFINITY);
}

static struct bounds
root(struct bounds x)
{
	struct span c = computed(x), v, slope;

	if (!(c.lo > 0))
		return x.lo == 0 && x.hi == 0 && x.error == 0 ? x : unknown;
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

static struct bounds
sine(struct bounds x)
{
	return known(wave(value(x), sin),
	    span_product(derivative(x), wave(value(x), cos)),
	    x.error + BY_LIBM);
}

static struct bounds
cosine(struct bounds x)
{
	return known(wave(value(x), cos),
	    span_minus(span_product(derivative(x), wave(value(x), sin))),
	    x.error + BY_LIBM);
}

static struct bounds
absolute(struct bounds x)
{
	struct bounds y = negative(x);
	struct span d = span_hull(derivative(x), derivative(y));

	if (x.lo >= 0)
		return x;
	if (x.hi <= 0)
		return y;
	return known((struct span){ 0, fmax(x.hi, y.hi) }, d, x.error);
}

static struct bounds
lesser(struct bounds x, struct bounds y)
{
	struct span v = { fmin(x.lo, y.lo), fmin(x.hi, y.hi) };

	if (computed(x).hi < computed(y).lo)
		return x;
	if (computed(y).hi < computed(x).lo)
		return y;
	return known(
	    v, span_hull(derivative(x), derivative(y)), fmax(x.error, y.error));
}

/*
 * Returns the bounds of a comparison: 1 if it is true in the whole interval, 0
 * if it is false in the whole interval, else unknown bounds.
 */
static struct bounds
decided(bool yes, bool no)
{
	return yes ? constant(1) : no ? constant(0) : unknown;
}

static bool
is_true(struct bounds x)
{
	return x.known && (computed(x).lo > 0 || computed(x).hi < 0);
}

static struct bounds
compare(enum form_op op, struct bounds x, struct bounds y)
{
	struct span a = computed(x), b = computed(y);
	bool apart = a.hi < b.lo || a.lo > b.hi;
	bool same = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;

	switch (op) {
	case FORM_LESS:
		return decided(a.hi < b.lo, a.lo >= b.hi);
	case FORM_LESS_EQUAL:
		return decided(a.hi <= b.lo, a.lo > b.hi);
	case FORM_EQUAL:
		return decided(same, apart);
	default:
		return decided(apart, same);
	}
}

/*
 * Bounds of ?:, && and ||, whose result can be known even if an operand is
 * unknown. muparser truncates some operands of && and || to integers, so only
 * operands that are exactly 0 or 1 are considered.
 */
static struct bounds
choose(enum form_op op, struct bounds x, struct bounds y, struct bounds z)
{
	switch (op) {
	case FORM_AND:
		return decided(exactly(x, 1) && exactly(y, 1),
		    exactly(x, 0) || exactly(y, 0));
	case FORM_OR:
		return decided(exactly(x, 1) || exactly(y, 1),
		    exactly(x, 0) && exactly(y, 0));
	default:
		return is_true(x) ? y : exactly(x, 0) ? z : unknown;
	}
}

static struct bounds
of_one(enum form_op op, struct bounds x)
{
	switch (op) {
	case FORM_MINUS:
		return negative(x);
	case FORM_LOG:
		return logarithm(x, log, 1);
	case FORM_LOG2:
		return logarithm(x, log2, 1 / M_LN2);
	case FORM_LOG10:
		return logarithm(x, log10, 1 / M_LN10);
	case FORM_EXP:
		return exponential(x);
	case FORM_SQRT:
		return root(x);
	case FORM_SIN:
		return sine(x);
	case FORM_COS:
		return cosine(x);
	case FORM_ABS:
		return absolute(x);
	default:
		return unknown;
	}
}

static struct bounds
of_two(enum form_op op, struct bounds x, struct bounds y)
{
	switch (op) {
	case FORM_ADD:
		return add(x, y);
	case FORM_SUBTRACT:
		return add(x, negative(y));
	case FORM_MULTIPLY:
		return multiply(x, y);
	case FORM_DIVIDE:
		return divide(x, y);
	case FORM_POWER:
		return power(x, y);
	case FORM_MIN:
		return lesser(x, y);
	case FORM_MAX:
		return negative(lesser(negative(x), negative(y)));
	default:
		return compare(op, x, y);
	}
}

/*
 * Returns whether all values in the bounds are finite. muparser may reorder
 * sums and products; with infinite operands another order can yield NAN.
 */
static bool
is_finite(struct bounds x)
{
	return isfinite(span_most(computed(x)));
}

static struct bounds
part_bounds(const struct form_part *p, const struct bounds *all)
{
	struct bounds x = all[p->arg[0]], y = all[p->arg[1]];

	switch (p->op) {
	case FORM_AND:
	case FORM_OR:
	case FORM_IF:
		return choose(p->op, x, y, all[p->arg[2]]);
	case FORM_MINUS:
	case FORM_LOG:
	case FORM_LOG2:
	case FORM_LOG10:
	case FORM_EXP:
	case FORM_SQRT:
	case FORM_SIN:
	case FORM_COS:
	case FORM_ABS:
		return x.known && is_finite(x) ? of_one(p->op, x) : unknown;
	default:
		return x.known && y.known && is_finite(x) && is_finite(y)
		    ? of_two(p->op, x, y)
		    : unknown;
	}
}

struct bounds
form_bounds(const struct form *f, double a, double b)
{
	struct bounds all[FORM_MOST];

	for (size_t i = 0; i < f->n; i++) {
		const struct form_part *p = &f->part[i];

		if (p->op == FORM_NUMBER)
			all[i] = constant(p->number);
		else if (p->op == FORM_N)
			all[i] = (struct bounds){ a, b, 1, 1, 0, true };
		else
			all[i] = part_bounds(p, all);
	}
	return all[f->n - 1];
}

#include <math.h>

#include "cost/arithmetic.h"

/*
 * Returns the bounds of a comparison: 1 if it is true in the whole interval, 0
 * if it is false in the whole interval, else unknown bounds.
 */
static struct bounds
decided(bool yes, bool no)
{
	return yes ? bounds_constant(1)
	    : no   ? bounds_constant(0)
		   : bounds_unknown;
}

static bool
is_true(struct bounds x)
{
	return x.known &&
	    (bounds_computed(x).lo > 0 || bounds_computed(x).hi < 0);
}

static struct bounds
compare(enum form_op op, struct bounds x, struct bounds y)
{
	struct interval a = bounds_computed(x), b = bounds_computed(y);
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
		return decided(bounds_exactly(x, 1) && bounds_exactly(y, 1),
		    bounds_exactly(x, 0) || bounds_exactly(y, 0));
	case FORM_OR:
		return decided(bounds_exactly(x, 1) || bounds_exactly(y, 1),
		    bounds_exactly(x, 0) && bounds_exactly(y, 0));
	default:
		return is_true(x)	   ? y
		    : bounds_exactly(x, 0) ? z
					   : bounds_unknown;
	}
}

static struct bounds
of_one(enum form_op op, struct bounds x)
{
	switch (op) {
	case FORM_MINUS:
		return bounds_negative(x);
	case FORM_LOG:
		return bounds_log(x, log, 1);
	case FORM_LOG2:
		return bounds_log(x, log2, 1 / M_LN2);
	case FORM_LOG10:
		return bounds_log(x, log10, 1 / M_LN10);
	case FORM_EXP:
		return bounds_exp(x);
	case FORM_SQRT:
		return bounds_sqrt(x);
	case FORM_SIN:
		return bounds_sin(x);
	case FORM_COS:
		return bounds_cos(x);
	case FORM_ABS:
		return bounds_abs(x);
	default:
		return bounds_unknown;
	}
}

static struct bounds
of_two(enum form_op op, struct bounds x, struct bounds y)
{
	switch (op) {
	case FORM_ADD:
		return bounds_add(x, y);
	case FORM_SUBTRACT:
		return bounds_add(x, bounds_negative(y));
	case FORM_MULTIPLY:
		return bounds_multiply(x, y);
	case FORM_DIVIDE:
		return bounds_divide(x, y);
	case FORM_POWER:
		return bounds_power(x, y);
	case FORM_MIN:
		return bounds_min(x, y);
	case FORM_MAX:
		return bounds_negative(
		    bounds_min(bounds_negative(x), bounds_negative(y)));
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
	return isfinite(interval_most(bounds_computed(x)));
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
		return x.known && is_finite(x) ? of_one(p->op, x)
					       : bounds_unknown;
	default:
		return x.known && y.known && is_finite(x) && is_finite(y)
		    ? of_two(p->op, x, y)
		    : bounds_unknown;
	}
}

struct bounds
form_bounds(const struct form *f, double a, double b)
{
	struct bounds all[FORM_MOST];

	for (size_t i = 0; i < f->n; i++) {
		const struct form_part *p = &f->part[i];

		if (p->op == FORM_NUMBER)
			all[i] = bounds_constant(p->number);
		else if (p->op == FORM_N)
			all[i] = (struct bounds){ a, b, 1, 1, 0, true };
		else
			all[i] = part_bounds(p, all);
	}
	return all[f->n - 1];
}

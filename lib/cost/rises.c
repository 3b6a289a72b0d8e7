#include <math.h>

#include "cost/bounds.h"
#include "cost/expr.h"
#include "cost/rises.h"

enum {
	INTERVALS = 1 << 18, /* intervals to check, about 0.1 s */
	/*
	 * An expression is evaluated at all sizes up to this one, which takes
	 * about 0.1 s.
	 */
	SIZES = 1 << 20
};

/*
 * Tolerances of the check. STEP is how far a value may lie below the greatest
 * value at a smaller size. NOISE is the largest relative error of an
 * evaluation. The start of an increasing interval can be one STEP too low, and
 * the values at both of its ends are rounded. All this adds up to less than 1 -
 * COST_LEVEL.
 */
#define STEP 4e-12
#define NOISE 2e-12

struct walk {
	const struct cost *cost;
	const struct form *form;
	/*
	 * the greatest value so far, and the last size n at which it occurred
	 */
	double high, at;
};

/*
 * Evaluates the cost at size n. Fails if it is less than the greatest cost of a
 * smaller size.
 */
static int
step(struct walk *w, double n, struct hp_err *e)
{
	double y = expr_at(w->cost->expr, n);

	if (!(y >= 0))
		return hp_fail(e, HP_USAGE,
		    "cost '%.200s': is %g at n = %.0f, but must be 0 or above",
		    w->cost->text, isnan(y) ? NAN : y, n);
	if (y < w->high * (1 - STEP))
		return hp_fail(e, HP_USAGE,
		    "cost '%.200s': falls from %.9g at n = %.0f to %.9g at "
		    "n = %.0f",
		    w->cost->text, w->high, w->at, y, n);
	if (y >= w->high) {
		w->high = y;
		w->at = n;
	}
	return 0;
}

/*
 * Evaluates the cost at some sizes. This quickly finds most expressions that
 * decrease.
 */
static int
look(const struct cost *c, double most, struct hp_err *e)
{
	struct walk w = { .cost = c, .at = 1 };

	for (double n = 1; n <= most; n = floor(fmax(n + 1, n * 1.01)))
		if (step(&w, n, e) == -1)
			return -1;
	return step(&w, most, e);
}

static int
look_at_all(const struct cost *c, double most, struct hp_err *e)
{
	struct walk w = { .cost = c, .at = 1 };

	for (double n = 1; n <= most; n++)
		if (step(&w, n, e) == -1)
			return -1;
	return 0;
}

int
cost_check_at(const struct cost *c, double n, struct hp_err *e)
{
	struct walk w = { .cost = c, .at = 1 };

	/*
	 * Evaluate the cost at n - 1, n and n + 1. Above 2^53, n + 1 is the
	 * same double as n.
	 */
	for (int i = -1; i <= 1 && c->kind == COST_EXPR; i++)
		if (n + i >= 1 && step(&w, n + i, e) == -1)
			return -1;
	return 0;
}

/*
 * Returns whether the value that muparser computes lies within the bounds. If
 * it does not, form.c has parsed the expression in another way than muparser.
 */
static bool
agrees(const struct walk *w, const struct bounds *x, double n)
{
	double y = expr_at(w->cost->expr, n);

	return y >= x->lo - x->error && y <= x->hi + x->error;
}

static bool
rises_between(const struct walk *w, double a, double b)
{
	struct bounds x = form_bounds(w->form, a, b);

	return x.known && x.dlo >= 0 && x.error <= NOISE * x.lo &&
	    agrees(w, &x, a) && agrees(w, &x, b);
}

/*
 * Checks from left to right whether the cost function f increases. Halves each
 * interval of sizes until f is proven to increase in it, or until it has only
 * one size. Compares the values of f at the ends of successive intervals, so f
 * may jump upwards between them. Returns 1 if f increases, 0 if there are too
 * many intervals to check, -1 if f decreases.
 */
static int
look_at_intervals(struct walk *w, double most, struct hp_err *e)
{
	/*
	 * right ends of the intervals that must still be checked; the last one
	 * is checked next
	 */
	double end[64];
	double a = 1;
	size_t n = 1;

	end[0] = most;
	for (int i = 0; n > 0; i++) {
		double b = end[n - 1];

		if (i == INTERVALS)
			return 0;
		if (a < b && !rises_between(w, a, b)) {
			end[n++] = a + floor((b - a) / 2);
			continue;
		}
		if (step(w, a, e) == -1 || step(w, b, e) == -1)
			return -1;
		a = b + 1;
		n--;
	}
	return 1;
}

int
cost_check(const struct cost *c, double most, bool *rises, struct hp_err *e)
{
	struct form form;
	struct walk w = { .cost = c, .form = &form, .at = 1 };
	int rc = 0;

	*rises = true;
	if (c->kind != COST_EXPR || most < 1)
		return 0;
	if (look(c, most, e) == -1)
		return -1;
	if (form_parse(c->text, &form))
		rc = look_at_intervals(&w, most, e);
	if (rc == 0 && most <= SIZES)
		return look_at_all(c, most, e);
	*rises = rc == 1;
	return rc == -1 ? -1 : 0;
}

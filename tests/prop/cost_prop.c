/*
 * The bounds of a cost expression contain muparser's values. An expression
 * proven to be non-decreasing does not decrease from any size to the next.
 */

#include <math.h>

#include "cost/bounds.h"
#include "cost/cost.h"
#include "cost/rises.h"
#include "test.h"

enum {
	TEXT = 1000
};

static int
cases(int few)
{
	const char *asked = getenv("HP_CASES");

	return asked != NULL ? atoi(asked) : few;
}

static void
put(char *s, const char *more)
{
	strncat(s, more, TEXT - 1 - strlen(s));
}

static void
some_number(char *s)
{
	static const char *const numbers[] = { "0", "1", "2", "3", "10", "100",
		"1000", "0.5", ".25", "1.5", "1e3", "2.5E-2", "7" };

	put(s, numbers[test_below(sizeof numbers / sizeof numbers[0])]);
}

static void some_expression(char *s, unsigned depth);

static void
some_call(char *s, unsigned depth)
{
	static const char *const names[] = { "log", "ln", "log2", "log10",
		"exp", "sqrt", "abs", "sin", "cos" };
	static const char *const of_two[] = { "min", "max", "pow" };
	bool two = test_below(3) == 0;

	put(s, two ? of_two[test_below(3)] : names[test_below(9)]);
	put(s, "(");
	some_expression(s, depth - 1);
	if (two) {
		put(s, ",");
		some_expression(s, depth - 1);
	}
	put(s, ")");
}

/* Omits parentheses where precedence makes them unnecessary. */
static void
some_expression(char *s, unsigned depth)
{
	static const char *const operators[] = { "+", "+", "-", "*", "*", "/",
		"^", "<", ">", "<=", ">=", "==", "!=", "&&", "||" };
	bool enclosed = test_below(2) == 0;

	if (depth == 0 || test_below(5) == 0) {
		if (test_below(3) == 0)
			some_number(s);
		else
			put(s, "n");
		return;
	}
	if (test_below(3) == 0) {
		some_call(s, depth);
		return;
	}
	if (enclosed)
		put(s, "(");
	if (test_below(8) == 0)
		put(s, "-");
	some_expression(s, depth - 1);
	if (test_below(6) == 0) {
		put(s, "?");
		some_expression(s, depth - 1);
		put(s, ":");
	} else
		put(s, operators[test_below(15)]);
	some_expression(s, depth - 1);
	if (enclosed)
		put(s, ")");
}

/* Makes an expression that muparser accepts, and its form. */
static bool
some_cost(struct cost *cost, struct form *form)
{
	char text[TEXT] = "";
	struct hp_err e = { 0 };

	some_expression(text, 1 + (unsigned)test_below(4));
	if (strlen(text) + 1 == TEXT || cost_parse(text, cost, &e) == -1)
		return false;
	if (!form_parse(cost->text, form))
		test_bad(__FILE__, __LINE__, "not understood: %s", cost->text);
	return true;
}

static void
check_bounds(
    const struct cost *cost, const struct form *form, double a, double b)
{
	struct bounds x = form_bounds(form, a, b);
	double n = a, y, before = NAN, slope;

	for (int i = 0; i < 20 && x.known && test.bad == 0; i++) {
		y = (double)cost_at(cost, n);
		CHECK(!isnan(y));
		CHECK(y >= x.lo - x.error && y <= x.hi + x.error);
		slope = (y - before) / (b - a) * 19;
		if (i > 0 && isfinite(slope) && isfinite(x.error)) {
			double noise = (2 * x.error + 1e-12 * fabs(y)) /
				(b - a) * 19 +
			    1e-9 * fabs(slope);

			CHECK(slope >= x.dlo - noise && slope <= x.dhi + noise);
		}
		before = y;
		n = i == 18 ? b : n + (b - a) / 19;
	}
	if (test.bad > 0)
		printf("# %s from %.17g to %.17g: %.17g to %.17g, derivative "
		       "%.17g to %.17g, error %g; at %.17g\n",
		    cost->text, a, b, x.lo, x.hi, x.dlo, x.dhi, x.error, n);
}

static void
values_are_within_bounds(void)
{
	unsigned known = 0;
	int all = cases(5000);

	for (int i = 0; i < all && test.bad == 0; i++) {
		static struct form form;
		struct cost cost;
		double a, b;

		if (!some_cost(&cost, &form))
			continue;
		a = floor(pow(2, 40 * test_unit()));
		b = a + floor(a * test_unit() * (test_below(2) ? 1 : 1e-3));
		if (b > a) {
			check_bounds(&cost, &form, a, b);
			known += form_bounds(&form, a, b).known;
		}
		cost_fini(&cost);
	}
	CHECK(known > (unsigned)all / 5);
}

/* Returns whether each value from 1 to most is at least COST_LEVEL times every
 * earlier one. */
static bool
rises(const struct cost *cost, unsigned most)
{
	double high = 0, y;

	for (unsigned n = 1; n <= most; n++) {
		y = (double)cost_at(cost, n);
		if (!(y >= high * COST_LEVEL))
			return false;
		high = fmax(high, y);
	}
	return true;
}

static void
costs_rise_as_each_size_says(void)
{
	unsigned yes = 0, no = 0;
	int all = cases(5000);

	for (int i = 0; i < all && test.bad == 0; i++) {
		static struct form form;
		unsigned most = 1 + (unsigned)test_below(300);
		struct hp_err e = { 0 };
		struct cost cost;
		bool proven;

		if (!some_cost(&cost, &form))
			continue;
		if (cost_check(&cost, most, &proven, &e) == 0) {
			CHECK(proven);
			CHECK(rises(&cost, most));
			yes++;
		} else {
			/*
			 * An expression that is rejected decreases somewhere,
			 * perhaps only in its last bits.
			 */
			CHECK(e.kind == HP_USAGE);
			no++;
		}
		if (test.bad > 0)
			printf("# %s up to %u: %s\n", cost.text, most, e.text);
		cost_fini(&cost);
	}
	CHECK(yes > (unsigned)all / 20 && no > (unsigned)all / 20);
}

/* A decrease at a single size is found anywhere up to 2^53. */
static void
one_size_that_falls_is_found(void)
{
	static const char *const rising[] = { "n", "n+5", "n*n+3*n",
		"n*log(n)+n", "max(n,40)", "n/log(n+2)", "n>=1000?2*n:n",
		"sqrt(n)*log(n+1)^3", "7", "n*n-n+1" };

	for (int i = 0; i < cases(300) && test.bad == 0; i++) {
		const char *f = rising[test_below(10)];
		double most = floor(pow(2, 2 + 51 * test_unit()));
		uint64_t at = 2 + test_below((uint64_t)most - 1);
		char text[TEXT];
		struct hp_err e = { 0 };
		struct cost cost;
		bool proven;

		CHECK(cost_parse(f, &cost, &e) == 0);
		CHECK(cost_check(&cost, most, &proven, &e) == 0 && proven);
		cost_fini(&cost);
		snprintf(text, sizeof text,
		    test_below(2) == 0 ? "n==%ju?0.4*(%s):%s"
				       : "n<%ju?1+(%s):%s",
		    (uintmax_t)at, f, f);
		CHECK(cost_parse(text, &cost, &e) == 0);
		if (cost_check(&cost, most, &proven, &e) == 0)
			CHECK(!proven ||
			    cost_at(&cost, (double)at) >=
				COST_LEVEL * cost_at(&cost, (double)at - 1));
		if (test.bad > 0)
			printf("# %s up to %.0f: %s\n", text, most, e.text);
		cost_fini(&cost);
	}
}

int
main(void)
{
	RUN(values_are_within_bounds);
	RUN(costs_rise_as_each_size_says);
	RUN(one_size_that_falls_is_found);
	return test_done();
}

/* Cost expressions, their bounds and inverses, compared with values computed by
 * hand. */

#include <float.h>
#include <math.h>

#include "cost/bounds.h"
#include "cost/cost.h"
#include "cost/expr.h"
#include "cost/rises.h"
#include "test.h"

/*
 * Expressions with operators of different precedence, and the same expressions
 * in C.
 */
#define EXPRESSIONS(DO)                                    \
	DO("1+2*n", 1 + 2 * n)                             \
	DO("2*n^2^0.5", 2 * pow(n, pow(2, 0.5)))           \
	DO("(n+1)^2", (n + 1) * (n + 1))                   \
	DO("n-1-1", n - 1 - 1)                             \
	DO("n/2/2", n / 2 / 2)                             \
	DO("n-2+1", n - 2 + 1)                             \
	DO("-n+9", -n + 9)                                 \
	DO("+n*2", n * 2)                                  \
	DO("3--n", 3 + n)                                  \
	DO("n<=3", n <= 3)                                 \
	DO("n>=3", n >= 3)                                 \
	DO("n<3", n < 3)                                   \
	DO("n>3", n > 3)                                   \
	DO("n==3", n == 3)                                 \
	DO("n!=3", n != 3)                                 \
	DO("n<5&&n>2", n<5 && n> 2)                        \
	DO("n==2||n==4&&n<0", n == 2 || (n == 4 && n < 0)) \
	DO("n<0&&n==4||n==2", (n < 0 && n == 4) || n == 2) \
	DO("n+1.2<5*2", n + 1.2 < 10)                      \
	DO("n<3?1:n<6?2:3", n < 3 ? 1 : n < 6 ? 2 : 3)     \
	DO("n<6?n<3?1:2:3", n < 6 ? n < 3 ? 1 : 2 : 3)     \
	DO("1e1*n", 10 * n)                                \
	DO("1E1*n", 10 * n)                                \
	DO("2.5e-1+n", 0.25 + n)                           \
	DO("1e+2+n", 100 + n)                              \
	DO(".5*n", n / 2)                                  \
	DO("2.*n", 2 * n)                                  \
	DO("log(n)", log(n))                               \
	DO("ln(n)", log(n))                                \
	DO("log2(n)", log2(n))                             \
	DO("log10(n)", log10(n))                           \
	DO("exp(n)", exp(n))                               \
	DO("sqrt(n)", sqrt(n))                             \
	DO("sin(n)", sin(n))                               \
	DO("cos(n)", cos(n))                               \
	DO("abs(3-n)", fabs(3 - n))                        \
	DO("pow(n,3)", n *n *n)                            \
	DO("min(n,4)", fmin(n, 4))                         \
	DO("min(n)", n)                                    \
	DO("max(2,n,4)", fmax(4, n))                       \
	DO("min(5,n*n,max(2,n))", fmin(5, fmin(n *n, fmax(2, n))))

#define FUNCTION(text, value)                      \
	{                                          \
		double n = 1;                      \
		for (; n < 12; n += 0.5)           \
			compare(text, n, (value)); \
	}

/* Checks that muparser and the bounds at a single size both give this value. */
static void
compare(const char *text, double n, double value)
{
	struct hp_err e = { 0 };
	struct form form;
	struct bounds x;
	struct expr *expr = expr_new(text, &e);
	double size = fmax(fabs(value), 1);

	if (expr == NULL || !form_parse(text, &form)) {
		test_bad(
		    __FILE__, __LINE__, "%s: not parsed: %s", text, e.text);
		expr_free(expr);
		return;
	}
	if (!(fabs(expr_at(expr, n) - value) <= 1e-14 * size))
		test_bad(__FILE__, __LINE__, "%s at %g: %.17g, not %.17g", text,
		    n, expr_at(expr, n), value);
	x = form_bounds(&form, n, n);
	if (!x.known || !(x.lo - x.error <= value) ||
	    !(value <= x.hi + x.error) || !(x.hi - x.lo <= 1e-12 * size))
		test_bad(__FILE__, __LINE__, "%s at %g: %.17g to %.17g, not %g",
		    text, n, x.lo, x.hi, value);
	expr_free(expr);
}

static void
operators_bind_as_in_c(void)
{
	EXPRESSIONS(FUNCTION)
}

static void
other_expressions_are_left_to_muparser(void)
{
	static const char *const bad[] = { "", "x", "nn", "0x10", "1..2", "1e",
		"1e+", "2n", "n_", "1_", "n n", "foo(n)", "log(n", "log(n,2)",
		"log()", "sin()", "min()", "max(,n)", "min(n,)", "pow(n)",
		"pow(n,1,2)", "(n", "n)", "()", "n?1", "n?1:", "?1:2", "n+",
		"*n", "n==", "lo(n)", "logn(n)", "log n", "tan(n)", "n<<2" };
	struct form form;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (form_parse(bad[i], &form))
			test_bad(__FILE__, __LINE__, "parsed: %s", bad[i]);
}

/* Returns whether form_parse accepts n inside `depth` parentheses, or a sum of
 * n `times` times. */
static bool
parses(size_t depth, size_t times)
{
	char text[4000] = "";
	struct form form;

	for (size_t i = 0; i < depth; i++)
		strcat(text, "(");
	strcat(text, "n");
	for (size_t i = 1; i < times; i++)
		strcat(text, "+n");
	for (size_t i = 0; i < depth; i++)
		strcat(text, ")");
	return form_parse(text, &form);
}

static void
long_and_deep_expressions_are_not_parsed(void)
{
	CHECK(parses(99, 1) && !parses(100, 1) && !parses(1000, 1));
	/* Each n except the first counts as an operand and an operator. */
	CHECK(parses(0, FORM_MOST / 2) && !parses(0, FORM_MOST / 2 + 1));
}

static void
expressions_are_one_value(void)
{
	static const struct {
		const char *text, *error;
	} bad[] = { { "n=3", "must be one value" },
		{ "x=n", "must be one value" }, { "n,n", "must be one value" },
		{ "=n", "must be one value" }, { "n+", "cost 'n+': " },
		{ "foo(n)", "cost 'foo(n)': " }, { "", "cost '': " } };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct hp_err e = { 0 };

		CHECK(expr_new(bad[i].text, &e) == NULL);
		CHECK(e.kind == HP_USAGE);
		if (strstr(e.text, bad[i].error) == NULL)
			test_bad(
			    __FILE__, __LINE__, "%s: %s", bad[i].text, e.text);
	}
}

/*
 * Checks a cost up to the size `most`.  `rises` is 1 if the cost is known to be
 * non-decreasing and 0 if that is unknown.  It is -1 if the cost decreases;
 * then the message is compared.
 */
static void
check(const char *text, double most, int rises, const char *message)
{
	struct cost c = { 0 };
	struct hp_err e = { 0 };
	bool known = false;
	int rc;

	REQUIRE(cost_parse(text, &c, &e) == 0);
	rc = cost_check(&c, most, &known, &e);
	if ((rc == -1 ? -1 : known) != rises || strcmp(e.text, message) != 0)
		test_bad(__FILE__, __LINE__, "%s to %g: %d, %d, %s", text, most,
		    rc, known, e.text);
	cost_fini(&c);
}

static void
costs_that_fall_are_found(void)
{
	check("n+1", 1e15, 1, "");
	check("1e1*n+5", 1e15, 1, "");
	check("n*log(n)+n", 1e15, 1, "");
	check("n<1e6?n:2*n", 1e15, 1, "");
	check("n^2+n", 1e7, 1, "");
	check("100-n", 100, -1,
	    "cost '100-n': falls from 99 at n = 1 to 98 at n = 2");
	check("n-5", 100, -1,
	    "cost 'n-5': is -4 at n = 1, but must be 0 or above");
	check("1/(n-3)^0.5", 100, -1,
	    "cost '1/(n-3)^0.5': is nan at n = 1, but must be 0 or above");
	check("n==4096?n:4*n", 6000, -1,
	    "cost 'n==4096?n:4*n': falls from 16380 at n = 4095 to 4096 at "
	    "n = 4096");
	check("n==4096?n:4*n", 4095, 1, "");
	/* No size above `most` or below 1 is checked. */
	check("n<=7?n:0", 7, 1, "");
	check("n<=7?n:0", 8, -1,
	    "cost 'n<=7?n:0': falls from 7 at n = 7 to 0 at n = 8");
	check("1/n", 0, 1, "");
	check("1/n", 1, 1, "");
	check("n-5", 0, 1, "");
	check(
	    "n-5", 1, -1, "cost 'n-5': is -4 at n = 1, but must be 0 or above");
	check(
	    "1/n", 2, -1, "cost '1/n': falls from 1 at n = 1 to 0.5 at n = 2");
	/* Closed forms are known to be non-decreasing. */
	check("n", 1e15, 1, "");
	check("n*log(n)", 1e15, 1, "");
	check("n^0.5", 1e15, 1, "");
}

/* Expressions that form.c cannot parse are evaluated at each size, up to
 * 2^20. */
static void
costs_without_bounds_are_evaluated(void)
{
	check("n+0*tan(n)", 1 << 20, 1, "");
	check("n+0*tan(n)", (1 << 20) + 1, 0, "");
	check("n==1048575?0:n+0*tan(n)", 1 << 20, -1,
	    "cost 'n==1048575?0:n+0*tan(n)': falls from 1048574 at "
	    "n = 1048574 to 0 at n = 1048575");
}

static void
costs_are_checked_around_a_share(void)
{
	struct cost c = { 0 };
	struct hp_err e = { 0 };

	REQUIRE(cost_parse("n==10?0:n", &c, &e) == 0);
	for (int n = 1; n < 20; n++)
		CHECK_EQ_I64(
		    cost_check_at(&c, n, &e), n == 9 || n == 10 ? -1 : 0);
	cost_fini(&c);
	/* Size 0 is not checked. */
	REQUIRE(cost_parse("n-1", &c, &e) == 0);
	CHECK(cost_check_at(&c, 1, &e) == 0);
	cost_fini(&c);
}

static void
lambert_inverts_n_ln_n(void)
{
	CHECK(cost_lambert(0) == 1);
	for (double y = 1e-12; y < 1e300; y *= 1.07) {
		long double x = cost_lambert(y);

		/* Near 1, ln x has the same absolute error as x. */
		CHECK_NEAR((double)(x * logl(x)), y,
		    1e-14 + 4 * DBL_EPSILON * (double)x / y);
	}
}

static void
inverses_are_where_the_cost_is(void)
{
	static const char *const texts[] = { "n", "n*log(n)", "n*log2(n)",
		"n*log10(n)", "n^2", "n^0.5", "n^1.3" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct cost c = { 0 };
		struct hp_err e = { 0 };

		REQUIRE(cost_parse(texts[i], &c, &e) == 0);
		for (double n = 2; n < 1e9; n *= 1.5) {
			double y = (double)cost_at(&c, n), slope;
			double d = n * 1e-4;
			double rise = (double)(cost_at(&c, n + d) -
			    cost_at(&c, n - d));

			CHECK_NEAR(cost_inverse(&c, y, &slope), n, 1e-13);
			CHECK_NEAR(slope, 2 * d / rise, 1e-6);
			CHECK_NEAR(cost_inverse(&c, y, NULL), n, 1e-13);
			if (!isnan(cost_about(&c, n)))
				CHECK_NEAR(cost_about(&c, n), y, 1e-14);
		}
		cost_fini(&c);
	}
}

int
main(void)
{
	RUN(operators_bind_as_in_c);
	RUN(other_expressions_are_left_to_muparser);
	RUN(long_and_deep_expressions_are_not_parsed);
	RUN(expressions_are_one_value);
	RUN(costs_that_fall_are_found);
	RUN(costs_without_bounds_are_evaluated);
	RUN(costs_are_checked_around_a_share);
	RUN(lambert_inverts_n_ln_n);
	RUN(inverses_are_where_the_cost_is);
	return test_done();
}

/* Curves of random shapes, compared with the times of all their sizes. */

#include <math.h>

#include "cost/inverse.h"
#include "cost/within.h"
#include "test.h"

enum {
	CASES = 20000,
	POINTS = 4,
	SPAN = 16,		    /* most items between two points */
	MOST = (POINTS + 1) * SPAN, /* all shapes lie below this size */
	RANGES = 2 * (POINTS + 2)
};

static double
any_seconds(void)
{
	return test_below(3) > 0 ? (double)(1 + test_below(9))
				 : exp(12 * test_unit() - 6);
}

/* Makes a curve. If `rises`, its times do not decrease. */
static void
any_curve(struct curve *c, bool rises)
{
	size_t n = 1 + test_below(POINTS);
	struct point *p = calloc(n, sizeof *p);

	if (p == NULL)
		exit(1);
	for (size_t i = 0; i < n; i++) {
		p[i].n = (double)(1 + test_below(SPAN)) +
		    (i > 0 ? p[i - 1].n : 0);
		p[i].seconds = any_seconds();
		if (rises && i > 0 && p[i].seconds < p[i - 1].seconds)
			p[i].seconds = p[i - 1].seconds + any_seconds();
	}
	curve_init(c);
	curve_set_points(c, p, n);
	c->beyond = (enum beyond)test_below(3);
	if (test_below(3) == 0)
		c->capacity = 1 + test_below(MOST);
	if (test_below(2) == 0)
		c->latency_s = any_seconds();
	if (test_below(2) == 0)
		c->seconds_per_item = any_seconds();
}

/* Returns a time that the curve has at some size, or a time chosen freely. */
static double
any_time(const struct curve *c)
{
	double t = curve_time(c, 1 + test_below(MOST));

	return test_below(4) > 0 && isfinite(t) ? t : 4 * any_seconds();
}

static bool
contains(const struct range *r, size_t n, uint64_t size)
{
	for (size_t i = 0; i < n; i++)
		if (r[i].lo <= size && size <= r[i].hi)
			return true;
	return false;
}

static void
show(const struct curve *c)
{
	for (size_t i = 0; i < c->npoints; i++)
		printf(
		    "# n = %g: %.17g s\n", c->point[i].n, c->point[i].seconds);
	printf("# beyond %s, capacity %" PRIu64 ", latency %.17g, %.17g an "
	       "item\n",
	    beyond_text(c->beyond), c->capacity, c->latency_s,
	    c->seconds_per_item);
}

static void
ranges_have_the_sizes_in_time(void)
{
	for (size_t k = 0; k < CASES && test.bad == 0; k++) {
		struct range r[RANGES];
		struct curve c;
		uint64_t limit;
		double T;
		size_t n;

		any_curve(&c, false);
		T = any_time(&c);
		limit = curve_limit(&c);
		n = curve_within(&c, T, r);
		CHECK(n >= 1 && n <= curve_ranges(&c) && r[0].lo == 0);
		for (size_t i = 0; i < n; i++)
			CHECK(r[i].lo <= r[i].hi && r[i].hi <= limit &&
			    (i == 0 || r[i - 1].hi + 1 < r[i].lo));
		for (uint64_t s = 1; s <= MOST; s++)
			if (contains(r, n, s) !=
			    (s <= limit && curve_time(&c, s) <= T))
				test_bad(__FILE__, __LINE__,
				    "%" PRIu64 " in %.17g s", s, T);
		if (test.bad > 0)
			show(&c);
		curve_fini(&c);
	}
}

/* No size above the limit has a time. */
static void
the_limit_is_the_last_size_with_a_time(void)
{
	for (size_t k = 0; k < CASES && test.bad == 0; k++) {
		struct curve c;
		uint64_t limit, last;

		any_curve(&c, false);
		limit = curve_limit(&c);
		last = (uint64_t)c.point[c.npoints - 1].n;
		CHECK(limit <= c.capacity && isfinite(curve_time(&c, limit)));
		CHECK(limit == c.capacity ||
		    isinf(curve_time_real(&c, (double)limit + 1)));
		if (c.beyond == BEYOND_STOP)
			CHECK_EQ_U64(
			    limit, last < c.capacity ? last : c.capacity);
		if (test.bad > 0)
			show(&c);
		curve_fini(&c);
	}
}

/*
 * Checks that the curve's time reaches T at the inverse of T, within the
 * accuracy of the search.
 */
static void
check_inverse(const struct curve *c, double T)
{
	double x = curve_inverse(c, T, NULL), limit = (double)curve_limit(c);
	double before = curve_time_real(c, x * (1 - 1e-12));
	double after = curve_time_real(c, x * (1 + 1e-12));

	if (x > 0 && !(before <= T * (1 + 1e-12)))
		test_bad(__FILE__, __LINE__, "%.17g s: %.17g is late: %.17g s",
		    T, x, before);
	if (x < limit && !(after >= T * (1 - 1e-12)))
		test_bad(__FILE__, __LINE__, "%.17g s: %.17g is early: %.17g s",
		    T, x, after);
}

static void
inverses_reach_the_time(void)
{
	for (size_t k = 0; k < CASES && test.bad == 0; k++) {
		struct curve c;

		any_curve(&c, true);
		check_inverse(&c, any_time(&c));
		if (test.bad > 0)
			show(&c);
		curve_fini(&c);
	}
}

/*
 * Steep costs have jumps, or become infinite far from where they are searched.
 */
static void
inverses_of_steep_costs(void)
{
	static const char *const costs[] = { "exp(n)", "n<10?n:n+1e100", "n^9",
		"exp(n)+1e9*n" };

	for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
		struct hp_err e = { 0 };
		struct cost cost = { 0 };
		struct curve c;

		REQUIRE(cost_parse(costs[i], &cost, &e) == 0);
		curve_init(&c);
		c.cost = &cost;
		c.speed = 2;
		for (double T = 3; T < 1e12; T *= 7)
			check_inverse(&c, T);
		curve_fini(&c);
		cost_fini(&cost);
	}
}

/*
 * The time of n items between two points is n over the speed on a line.  The
 * points have N items at speed N, and MORE items more at a speed 2^j times
 * lower. Left items before the second one, the speed in units of N / MORE / 2^j
 * is left * 2^j + MORE - left, which long double holds exactly.
 */
static void
speeds_that_nearly_vanish(void)
{
	static const uint64_t N = 1 << 20, MORE = 3000000000001;

	for (int j = 1; j <= 20; j++) {
		struct point *p = calloc(2, sizeof *p);
		struct curve c;

		REQUIRE(p != NULL);
		p[0] = (struct point){ .n = (double)N, .seconds = 1 };
		p[1] = (struct point){ .n = (double)(N + MORE),
			.seconds = ldexp((double)(N + MORE) / (double)N, j) };
		curve_init(&c);
		curve_set_points(&c, p, 2);
		for (uint64_t left = 0; left < MORE; left = 3 * left + 1) {
			uint64_t n = N + MORE - left;
			long double speed = ldexpl(left, j) + (MORE - left);
			long double want = ldexpl(n, j) / N * MORE / speed;

			CHECK(fabsl(curve_time(&c, n) / want - 1) < 1e-15L);
		}
		curve_fini(&c);
	}
}

int
main(void)
{
	RUN(ranges_have_the_sizes_in_time);
	RUN(the_limit_is_the_last_size_with_a_time);
	RUN(inverses_reach_the_time);
	RUN(inverses_of_steep_costs);
	RUN(speeds_that_nearly_vanish);
	return test_done();
}

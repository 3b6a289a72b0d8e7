/* Plans compared with all possible plans, for small random problems. */

#include <math.h>

#include "cost/within.h"
#include "share/answer.h"
#include "share/fill.h"
#include "share/search.h"
#include "share/shape.h"
#include "test.h"

enum {
	NODES = 4,
	ITEMS = 14,
	CASES = 4000
};

struct small {
	struct cluster c;
	struct cost cost;
	uint64_t total;
};

static double
small_number(void)
{
	static const double decimal[] = { 0.1, 0.2, 0.3, 0.7, 1.37, 2.5 };

	return test_below(3) == 0 ? decimal[test_below(6)]
				  : (double)(1 + test_below(9));
}

/*
 * Makes few points, some beyond ITEMS. With jagged, times may decrease and
 * differ by hundreds of orders of magnitude.
 */
static void
random_points(struct curve *c, bool jagged)
{
	size_t n = 1 + test_below(4);
	struct point *p = calloc(n, sizeof *p);
	double at = 0, t = 0;

	for (size_t i = 0; i < n; i++) {
		at += (double)(1 + test_below(7));
		t += test_below(4) == 0 && i > 0 ? 0 : small_number();
		if (jagged)
			t = small_number();
		if (jagged && test_below(6) == 0)
			t *= pow(10, 290 - (double)test_below(581));
		p[i] = (struct point){ at, t };
	}
	curve_set_points(c, p, n);
	c->beyond = (enum beyond)test_below(3);
}

static void
random_problem(struct small *p, bool jagged)
{
	static const char *costs[] = { "n*log(n)", "n*log2(n)", "n", "n^2",
		"n^0.5", "n^1.5", "max(n, 4)", "n*n+n", "log(n)", "exp(n/3)" };
	struct hp_err e = { 0 };
	size_t nodes = 1 + test_below(NODES);
	uint64_t kind = jagged ? 1 + test_below(2) : test_below(3);

	*p = (struct small){ .total = test_below(ITEMS + 1) };
	CHECK(cost_parse(costs[test_below(10)], &p->cost, &e) == 0);
	for (size_t i = 0; i < nodes; i++) {
		struct node node = { 0 };

		curve_init(&node.curve);
		CHECK(asprintf(&node.name, "n%zu", i) > 0);
		node.curve.speed = small_number();
		if (kind == 2 || (kind == 1 && test_below(2) == 0))
			random_points(&node.curve, jagged);
		if (test_below(4) == 0)
			node.curve.capacity = test_below(ITEMS);
		if (test_below(4) == 0)
			node.curve.latency_s = small_number();
		if (test_below(4) == 0)
			node.curve.seconds_per_item = small_number();
		CHECK(cluster_add(&p->c, &node, &e) == 0);
	}
	cluster_set_cost(&p->c, &p->cost);
}

static void
problem_fini(struct small *p)
{
	cluster_fini(&p->c);
	cost_fini(&p->cost);
}

/* Enumerates all ways to give `left` items to the nodes from i on. */
struct all {
	const struct cluster *c;
	uint64_t n[NODES];
	double best;
	unsigned count; /* number of plans with the best makespan */
};

static void
enumerate(struct all *a, size_t i, uint64_t left, double so_far)
{
	bool last = i + 1 == a->c->n;

	for (uint64_t x = last ? left : 0; x <= left; x++) {
		double t = fmax(so_far, curve_time(&a->c->node[i].curve, x));

		a->n[i] = x;
		if (isinf(t))
			continue;
		if (!last)
			enumerate(a, i + 1, left - x, t);
		else if (t < a->best) {
			a->best = t;
			a->count = 1;
		} else if (t == a->best)
			a->count++;
	}
}

/* Prints everything needed to investigate a failure. */
static void
show(const struct small *p, const struct all *all)
{
	printf("# %s, %ju items, best %.17g in %u plans\n", p->cost.text,
	    (uintmax_t)p->total, all->best, all->count);
	for (size_t i = 0; i < p->c.n; i++) {
		const struct curve *c = &p->c.node[i].curve;

		printf("# speed %g, limit %ju, latency %g, an item %g, times",
		    c->speed, (uintmax_t)curve_limit(c), c->latency_s,
		    c->seconds_per_item);
		for (uint64_t n = 1; n <= p->total; n++)
			printf(" %g", curve_time(c, n));
		printf("\n");
	}
}

static void
check_answer(const struct small *p, const struct all *all, enum method m)
{
	struct hp_err e = { 0 };
	struct answer a;
	uint64_t sum = 0;
	double latest = 0;

	if (share_solve(&(struct problem){ &p->c, p->total, 0 }, m, &a, &e) ==
	    -1) {
		bool no = isinf(all->best) && e.kind == HP_NOSHARE;

		if (!no && e.kind != HP_USAGE)
			test_bad(__FILE__, __LINE__, "%s", e.text);
		return;
	}
	for (size_t i = 0; i < p->c.n; i++) {
		sum += a.n[i];
		latest = fmax(latest, curve_time(&p->c.node[i].curve, a.n[i]));
	}
	CHECK_EQ_U64(sum, p->total);
	CHECK(latest == a.proof.makespan);
	CHECK(a.bound == all->best);
	CHECK(a.proof.optimal == (latest == all->best));
	CHECK(a.proof.unique == (a.proof.optimal && all->count == 1));
	if (m == METHOD_EXACT || m == METHOD_AUTO || m == METHOD_DP)
		CHECK(a.proof.optimal);
	answer_fini(&a);
}

static void
against_all_plans(bool jagged)
{
	for (int i = 0; i < CASES && test.bad == 0; i++) {
		struct small p;
		struct all all = { .best = INFINITY };

		random_problem(&p, jagged);
		all.c = &p.c;
		enumerate(&all, 0, p.total, 0);
		if (p.total == 0)
			all.best = 0;
		for (int m = 0; m < METHODS; m++)
			check_answer(&p, &all, (enum method)m);
		if (test.bad > 0)
			show(&p, &all);
		problem_fini(&p);
	}
}

static void
every_method_against_all_plans(void)
{
	against_all_plans(false);
}

static void
times_that_fall_against_all_plans(void)
{
	against_all_plans(true);
}

/* Searches plans for times of any shape, also where the table would suffice. */
static void
any_shape_against_all_plans(void)
{
	for (int i = 0; i < CASES && test.bad == 0; i++) {
		struct small p;
		struct all all = { .best = INFINITY };
		struct certificate proof;
		struct hp_err e = { 0 };
		uint64_t n[NODES], sum = 0;

		random_problem(&p, test_below(2) == 0);
		all.c = &p.c;
		enumerate(&all, 0, p.total, 0);
		if (!isinf(all.best)) {
			CHECK(share_shape(&p.c, p.total, n, &e) == 0);
			CHECK(share_shape_certify(
				  &p.c, p.total, n, &proof, &e) == 0);
			for (size_t j = 0; j < p.c.n; j++)
				sum += n[j];
			CHECK_EQ_U64(sum, p.total);
			CHECK(proof.makespan == all.best && proof.optimal);
			CHECK(proof.unique == (all.count == 1));
		}
		if (test.bad > 0)
			show(&p, &all);
		problem_fini(&p);
	}
}

/* Tests which sizes are done by T by looking at each. */
static void
ranges_within_a_time(void)
{
	for (int i = 0; i < CASES && test.bad == 0; i++) {
		struct small p;
		struct all all = { .best = INFINITY };
		struct range r[32];
		const struct curve *c;
		double T;
		size_t n, at = 0;

		random_problem(&p, true);
		c = &p.c.node[0].curve;
		REQUIRE(curve_ranges(c) <= 32);
		T = test_below(2) == 0 ? 10 * test_unit()
				       : curve_time(c, test_below(40));
		if (isinf(T))
			T = 3;
		n = curve_within(c, T, r);
		for (uint64_t x = 0; x < 60; x++) {
			while (at < n && r[at].hi < x)
				at++;
			CHECK((at < n && r[at].lo <= x) ==
			    (curve_time(c, x) <= T));
		}
		if (test.bad > 0)
			show(&p, &all);
		problem_fini(&p);
	}
}

/* Makes random shares within the limits; returns false if there are none. */
static bool
random_plan(const struct small *p, uint64_t *n)
{
	uint64_t left = p->total;

	for (size_t i = 0; i < p->c.n; i++) {
		uint64_t most = curve_limit(&p->c.node[i].curve);

		if (most > left)
			most = left;
		n[i] = i + 1 < p->c.n ? test_below(most + 1) : most;
		left -= n[i];
	}
	return left == 0;
}

static void
the_certificate_judges_any_plan(void)
{
	unsigned no = 0, yes = 0;

	for (int i = 0; i < 4 * CASES && test.bad == 0; i++) {
		struct small p;
		struct all all = { .best = INFINITY };
		struct certificate proof;
		uint64_t n[NODES];

		random_problem(&p, false);
		all.c = &p.c;
		enumerate(&all, 0, p.total, 0);
		if (!isinf(all.best) && random_plan(&p, n)) {
			share_certify(&p.c, p.total, n, &proof);
			if (isfinite(proof.makespan)) {
				CHECK(proof.optimal ==
				    (proof.makespan == all.best));
				yes += proof.optimal;
				no += !proof.optimal;
			}
		}
		problem_fini(&p);
	}
	CHECK(yes > 100);
	CHECK(no > 1000);
}

/*
 * Problems with up to 2^53 items, where the times of adjacent sizes hardly
 * differ as doubles.
 */
static void
large_problems_are_certified(void)
{
	for (int i = 0; i < 300 && test.bad == 0; i++) {
		struct small p;
		struct answer a;
		struct hp_err e = { 0 };

		random_problem(&p, false);
		p.total = test_random() >> (11 + test_below(40));
		for (size_t j = 0; j < p.c.n; j++)
			if (p.c.node[j].curve.capacity < ITEMS)
				p.c.node[j].curve.capacity *= p.total / 8;
		if (share_solve(&(struct problem){ &p.c, p.total, 0 },
			METHOD_EXACT, &a, &e) == 0) {
			CHECK(a.proof.optimal);
			answer_fini(&a);
		} else if (e.kind != HP_NOSHARE && e.kind != HP_USAGE)
			test_bad(__FILE__, __LINE__, "%s", e.text);
		problem_fini(&p);
	}
}

int
main(void)
{
	RUN(every_method_against_all_plans);
	RUN(times_that_fall_against_all_plans);
	RUN(any_shape_against_all_plans);
	RUN(ranges_within_a_time);
	RUN(the_certificate_judges_any_plan);
	RUN(large_problems_are_certified);
	return test_done();
}

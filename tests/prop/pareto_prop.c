/* Fronts of time and energy, compared with all plans of small problems. */

#include <math.h>

#include "share/answer.h"
#include "share/energy.h"
#include "share/pareto.h"
#include "test.h"

enum {
	NODES = 4,
	CASES = 3000
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

static void
random_points(struct curve *c, bool falls)
{
	size_t n = 1 + test_below(4);
	struct point *p = calloc(n, sizeof *p);
	double at = 0, t = 0;

	for (size_t i = 0; i < n; i++) {
		at += (double)(1 + test_below(7));
		t = falls ? small_number() : t + small_number();
		p[i] = (struct point){ at, t };
	}
	curve_set_points(c, p, n);
	c->beyond = (enum beyond)test_below(3);
}

/* Some powers are equal or 0, so that many plans need the same energy. */
static void
random_power(struct power *p)
{
	p->known = true;
	p->idle = test_below(2) == 0 ? 0 : small_number();
	p->busy = p->idle + (test_below(4) == 0 ? 0 : small_number());
}

static void
random_problem(struct small *p, size_t most, uint64_t items, bool falls)
{
	static const char *costs[] = { "n*log(n)", "n", "n^2", "n^0.5",
		"max(n, 4)", "log(n+1)" };
	struct hp_err e = { 0 };
	size_t nodes = 1 + test_below(most);

	*p = (struct small){ .total = test_below(items + 1) };
	CHECK(cost_parse(costs[test_below(6)], &p->cost, &e) == 0);
	for (size_t i = 0; i < nodes; i++) {
		struct node node = { 0 };

		curve_init(&node.curve);
		CHECK(asprintf(&node.name, "n%zu", i) > 0);
		node.curve.speed = small_number();
		if (test_below(2) == 0)
			random_points(&node.curve, falls);
		if (test_below(4) == 0)
			node.curve.capacity = test_below(items);
		if (test_below(4) == 0)
			node.curve.latency_s = small_number();
		if (test_below(4) == 0)
			node.curve.seconds_per_item = small_number();
		random_power(&node.power);
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

/* Gives `left` items to the nodes from i on, in all ways. */
struct all {
	const struct small *p;
	uint64_t n[NODES];
	void (*plan)(struct all *, double makespan, double energy);
	const struct pareto *front;
	bool feasible, missed, below_bound;
};

static void
enumerate(struct all *a, size_t i, uint64_t left, double so_far)
{
	const struct cluster *c = &a->p->c;
	bool last = i + 1 == c->n;

	for (uint64_t x = last ? left : 0; x <= left; x++) {
		double t = fmax(so_far, curve_time(&c->node[i].curve, x));

		a->n[i] = x;
		if (isinf(t))
			continue;
		if (!last)
			enumerate(a, i + 1, left - x, t);
		else
			a->plan(a, t, energy_total(c, a->n, t));
	}
}

/*
 * For every plan, the front must have a plan that needs neither more time nor
 * more energy.
 */
static void
is_matched(struct all *a, double makespan, double energy)
{
	bool matched = false;

	a->feasible = true;
	for (size_t i = 0; i < a->front->n && !matched; i++)
		matched = a->front->plan[i].makespan <= makespan &&
		    a->front->plan[i].energy <= energy;
	a->missed = a->missed || !matched;
}

/*
 * No plan may need less energy than the bounds of the front that apply to it.
 */
static void
keeps_bounds(struct all *a, double makespan, double energy)
{
	const struct pareto *f = a->front;

	a->feasible = true;
	for (size_t i = 0; i < f->n; i++)
		if ((makespan <= f->plan[i].makespan || i + 1 == f->n) &&
		    energy < f->plan[i].bound)
			a->below_bound = true;
}

/*
 * Checks that the shares of each plan add up to the total, and that they have
 * the stated time and energy.
 */
static void
check_plans(const struct small *p, const struct pareto *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct pareto_plan *v = &f->plan[i];
		uint64_t sum = 0;
		double latest = 0;

		for (size_t k = 0; k < p->c.n; k++) {
			sum += v->n[k];
			latest = fmax(
			    latest, curve_time(&p->c.node[k].curve, v->n[k]));
		}
		CHECK_EQ_U64(sum, p->total);
		CHECK(v->makespan == latest);
		CHECK(v->energy == energy_total(&p->c, v->n, latest));
		CHECK(v->bound <= v->energy);
		CHECK(i == 0 ||
		    (v->makespan > f->plan[i - 1].makespan &&
			v->energy < f->plan[i - 1].energy));
	}
}

static void
check_first(const struct problem *problem, const struct pareto *f)
{
	struct answer a;
	struct hp_err e = { 0 };

	REQUIRE(share_solve(problem, METHOD_AUTO, &a, &e) == 0);
	CHECK(f->n > 0 && f->plan[0].makespan == a.bound);
	answer_fini(&a);
}

static void
show(const struct small *p, uint64_t block)
{
	printf("# %s, %ju items in blocks of %ju\n", p->cost.text,
	    (uintmax_t)p->total, (uintmax_t)block);
	for (size_t i = 0; i < p->c.n; i++) {
		const struct node *node = &p->c.node[i];

		printf("# limit %ju, idle %g, busy %g, times",
		    (uintmax_t)curve_limit(&node->curve), node->power.idle,
		    node->power.busy);
		for (uint64_t n = 1; n <= p->total; n++)
			printf(" %g", curve_time(&node->curve, n));
		printf("\n");
	}
}

/* Returns whether the problem has a front. */
static bool
check_front(const struct small *p, uint64_t block,
    void (*plan)(struct all *, double, double))
{
	struct problem problem = {
		.cluster = &p->c, .total = p->total, .block = block
	};
	struct all all = { .p = p, .plan = plan };
	struct pareto f;
	struct hp_err e = { 0 };
	int rc = share_pareto(&problem, &f, &e);

	all.front = &f;
	enumerate(&all, 0, p->total, 0);
	CHECK((rc == 0) == all.feasible);
	CHECK(rc == 0 || e.kind == HP_NOSHARE);
	CHECK(!all.missed || rc == -1);
	CHECK(!all.below_bound);
	if (rc == 0) {
		check_plans(p, &f);
		check_first(&problem, &f);
	}
	for (size_t i = 0; i < f.n && f.block == 1; i++)
		CHECK(f.plan[i].bound == f.plan[i].energy);
	pareto_fini(&f);
	return rc == 0;
}

static void
fronts_against_all_plans(bool falls)
{
	unsigned found = 0;

	for (int i = 0; i < CASES && test.bad == 0; i++) {
		struct small p;

		random_problem(&p, NODES, 14, falls);
		found += check_front(&p, 0, is_matched);
		if (test.bad > 0)
			show(&p, 1);
		problem_fini(&p);
	}
	CHECK(found > CASES / 2 || test.bad > 0);
}

static void
complete_fronts_against_all_plans(void)
{
	fronts_against_all_plans(false);
}

static void
fronts_of_times_that_fall_against_all_plans(void)
{
	fronts_against_all_plans(true);
}

/*
 * If items go to nodes in blocks, the energy bounds must still hold for all
 * plans.
 */
static void
bounds_against_all_plans(void)
{
	unsigned found = 0;

	for (int i = 0; i < CASES && test.bad == 0; i++) {
		struct small p;
		uint64_t block = 2 + test_below(9);

		random_problem(&p, 3, 40, false);
		found += check_front(&p, block, keeps_bounds);
		if (test.bad > 0)
			show(&p, block);
		problem_fini(&p);
	}
	CHECK(found > CASES / 2 || test.bad > 0);
}

int
main(void)
{
	RUN(complete_fronts_against_all_plans);
	RUN(fronts_of_times_that_fall_against_all_plans);
	RUN(bounds_against_all_plans);
	return test_done();
}

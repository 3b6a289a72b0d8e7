/*
 * Contiguous parts by weight: the makespan is the least of all possible cuts,
 * and `unique` is true if only one set of cuts has it.
 */

#include <math.h>

#include "share/answer.h"
#include "share/contiguous.h"
#include "test.h"

enum {
	NODES = 4,
	ITEMS = 9
};

struct trial {
	struct cluster c;
	struct cost cost;
	/* in units of 2^-56, so sums are exact */
	uint64_t weight[ITEMS];
	struct prefix sum[ITEMS + 1];
	uint64_t n;
	double least;  /* of all cuts so far */
	unsigned best; /* how many cuts have it */
};

static int
cases(int few)
{
	const char *asked = getenv("HP_CASES");

	return asked != NULL ? atoi(asked) : few;
}

static void
some_weights(struct trial *t)
{
	t->n = test_below(ITEMS + 1);
	for (uint64_t i = 0; i < t->n; i++) {
		double weight = (double)test_below(10);

		if (test_below(3) == 0)
			weight = (double)test_below(100) / 7;
		if (test_below(3) == 0)
			weight = (double)test_below(100) / 10;
		t->weight[i] = (uint64_t)ldexp(weight, 56);
		t->sum[i + 1] = prefix_add(t->sum[i], weight);
	}
}

static void
some_nodes(struct trial *t)
{
	static const char *const costs[] = { "n", "n*log(n)", "n^2", "n+5" };
	size_t p = 1 + test_below(NODES);
	struct hp_err e = { 0 };

	CHECK_EQ_I64(cost_parse(costs[test_below(4)], &t->cost, &e), 0);
	for (size_t i = 0; i < p; i++) {
		struct node node = { 0 };

		curve_init(&node.curve);
		node.curve.speed = (double)(1 + test_below(8));
		if (test_below(4) == 0)
			node.curve.latency_s = (double)test_below(20);
		if (test_below(6) == 0)
			node.curve.capacity = test_below(60);
		if (test_below(6) == 0)
			node.curve.capacity = test_below(12);
		CHECK(asprintf(&node.name, "n%zu", i) != -1);
		CHECK_EQ_I64(cluster_add(&t->c, &node, &e), 0);
		node_fini(&node);
	}
	cluster_set_cost(&t->c, &t->cost);
}

/* Returns the weight of the items `from` to `to` - 1, rounded once. */
static double
weight_of(const struct trial *t, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	while (from < to)
		sum += t->weight[from++];
	return ldexp((double)sum, -56);
}

/*
 * Tries all ends of the part of this node and of the parts of all later nodes.
 */
static void
try_cuts(struct trial *t, size_t rank, uint64_t from, double latest)
{
	double time;

	if (rank == t->c.n) {
		if (from < t->n || !isfinite(latest))
			return;
		if (latest < t->least) {
			t->least = latest;
			t->best = 0;
		}
		t->best += latest == t->least;
		return;
	}
	for (uint64_t to = from; to <= t->n; to++) {
		time = contiguous_time(
		    &t->c.node[rank].curve, weight_of(t, from, to));
		try_cuts(t, rank + 1, to, fmax(latest, time));
	}
}

static void
check_answer(const struct trial *t, const struct answer *a)
{
	uint64_t at = 0;
	double latest = 0;

	for (size_t i = 0; i < t->c.n; i++) {
		CHECK(a->n[i] <= t->n - at);
		CHECK(a->weight[i] == weight_of(t, at, at + a->n[i]));
		latest = fmax(
		    latest, contiguous_time(&t->c.node[i].curve, a->weight[i]));
		at += a->n[i];
	}
	CHECK_EQ_U64(at, t->n);
	CHECK(latest == t->least);
	CHECK(a->proof.makespan == t->least);
	CHECK(a->proof.optimal);
	CHECK(a->proof.unique == (t->best == 1));
}

static void
the_best_of_all_cuts(void)
{
	for (int i = 0; i < cases(3000); i++) {
		struct trial t = { .least = INFINITY };
		struct problem p = { .cluster = &t.c };
		struct answer a = { 0 };
		struct hp_err e = { 0 };

		some_weights(&t);
		some_nodes(&t);
		p.total = t.n;
		try_cuts(&t, 0, 0, 0);
		if (share_solve_weights(&p, t.sum, &a, &e) == 0)
			check_answer(&t, &a);
		else {
			CHECK_EQ_U64(e.kind, HP_NOSHARE);
			CHECK(isinf(t.least));
		}
		answer_fini(&a);
		cluster_fini(&t.c);
		cost_fini(&t.cost);
	}
}

/*
 * If all weights are equal, the shares are those of a plan for as many items.
 */
static void
equal_weights_are_a_plan(void)
{
	enum {
		MANY = 100000
	};
	struct prefix *sum = reallocarray(NULL, MANY + 1, sizeof *sum);
	struct trial t = { .n = MANY };
	struct problem p = { .cluster = &t.c, .total = MANY };
	struct answer weighed = { 0 }, counted = { 0 };
	struct hp_err e = { 0 };

	CHECK(sum != NULL);
	for (size_t i = 0; i <= MANY; i++)
		sum[i] = (struct prefix){ (double)i, 0 };
	some_nodes(&t);
	for (size_t i = 0; i < t.c.n; i++)
		t.c.node[i].curve.capacity = CURVE_MOST;
	CHECK_EQ_I64(share_solve_weights(&p, sum, &weighed, &e), 0);
	CHECK_EQ_I64(share_solve(&p, METHOD_AUTO, &counted, &e), 0);
	CHECK(weighed.proof.makespan == counted.proof.makespan);
	for (size_t i = 0; i < t.c.n; i++) {
		CHECK(weighed.n[i] <= counted.n[i] + t.c.n);
		CHECK(counted.n[i] <= weighed.n[i] + t.c.n);
	}
	answer_fini(&weighed);
	answer_fini(&counted);
	cluster_fini(&t.c);
	cost_fini(&t.cost);
	free(sum);
}

int
main(void)
{
	RUN(the_best_of_all_cuts);
	RUN(equal_weights_are_a_plan);
	return test_done();
}

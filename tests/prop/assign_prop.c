/*
 * Assigning sublists: every sublist is assigned once, and capacities hold. No
 * assignment finishes later than largest-first alone. For few sublists it
 * exceeds the optimum at most by that algorithm's bound.
 */

#include <math.h>

#include "share/assign.h"
#include "test.h"

enum {
	NODES = 3,
	FEW = 7,
	MANY = 60
};

static struct hp_err e;

static void
random_cluster(struct cluster *c, const struct cost *cost, bool limited)
{
	struct node node;

	*c = (struct cluster){ 0 };
	for (int i = 0; i < NODES; i++) {
		node = (struct node){ 0 };
		curve_init(&node.curve);
		node.curve.speed = (double)(1 + test_below(9));
		if (limited)
			node.curve.capacity = 20 + test_below(100);
		node.name = malloc(16);
		snprintf(node.name, 16, "n%d", i);
		CHECK(cluster_add(c, &node, &e) == 0);
	}
	cluster_set_cost(c, cost);
}

/*
 * Returns the latest finish time of the nodes, or a negative number if a node
 * exceeds its capacity.
 */
static double
makespan(
    const struct cluster *c, const uint64_t *size, size_t n, const uint32_t *to)
{
	double seconds[NODES] = { 0 }, most = 0;
	uint64_t items[NODES] = { 0 };

	for (size_t i = 0; i < n; i++) {
		seconds[to[i]] += curve_time(&c->node[to[i]].curve, size[i]);
		items[to[i]] += size[i];
	}
	for (size_t j = 0; j < NODES; j++) {
		if (items[j] > curve_limit(&c->node[j].curve))
			return -1;
		if (seconds[j] > most)
			most = seconds[j];
	}
	return most;
}

static double
best_of_all(const struct cluster *c, const uint64_t *size, size_t n)
{
	uint32_t to[FEW] = { 0 };
	double best = -1, m;
	size_t i;

	for (;;) {
		m = makespan(c, size, n, to);
		if (m >= 0 && (best < 0 || m < best))
			best = m;
		for (i = 0; i < n && ++to[i] == NODES; i++)
			to[i] = 0;
		if (i == n)
			return best;
	}
}

static double
largest_first(const struct cluster *c, const uint64_t *size, size_t n)
{
	double seconds[NODES] = { 0 }, done, most = 0;
	bool given[MANY] = { false };
	size_t i, to;

	for (size_t turn = 0; turn < n; turn++) {
		i = n;
		for (size_t k = 0; k < n; k++)
			if (!given[k] && (i == n || size[k] > size[i]))
				i = k;
		to = 0;
		for (size_t j = 0; j < NODES; j++)
			if (seconds[j] +
				curve_time(&c->node[j].curve, size[i]) <
			    seconds[to] +
				curve_time(&c->node[to].curve, size[i]))
				to = j;
		given[i] = true;
		done = seconds[to] += curve_time(&c->node[to].curve, size[i]);
		if (done > most)
			most = done;
	}
	return most;
}

static void
no_later_than_largest_first(void)
{
	uint64_t size[MANY];
	uint32_t to[MANY];
	struct cluster c;
	struct cost cost;
	double got, greedy;
	size_t n;

	CHECK(cost_parse("n^1.2", &cost, &e) == 0);
	for (int round = 0; round < 300; round++) {
		random_cluster(&c, &cost, false);
		n = test_below(MANY + 1);
		for (size_t i = 0; i < n; i++)
			size[i] = test_below(round % 2 == 0 ? 5 : 1000);
		greedy = largest_first(&c, size, n);
		CHECK(share_assign(&c, size, n, ASSIGN_GREEDY, to, &e) == 0);
		got = makespan(&c, size, n, to);
		CHECK(fabs(got - greedy) <= greedy * 1e-12);
		CHECK(share_assign(&c, size, n, ASSIGN_EXCHANGE, to, &e) == 0);
		for (size_t i = 0; i < n; i++)
			CHECK(to[i] < NODES);
		got = makespan(&c, size, n, to);
		CHECK(got <= greedy * (1 + 1e-12));
		cluster_fini(&c);
	}
	cost_fini(&cost);
}

/* On machines of different speeds, largest-first is within twice the optimum
 * (Gonzalez, Ibarra, Sahni 1977). */
static void
near_the_best(void)
{
	uint64_t size[FEW];
	uint32_t to[FEW];
	struct cluster c;
	struct cost cost;
	double best, got;

	CHECK(cost_parse("n", &cost, &e) == 0);
	for (int round = 0; round < 200; round++) {
		random_cluster(&c, &cost, round % 2 == 0);
		for (size_t i = 0; i < FEW; i++)
			size[i] = 1 + test_below(40);
		best = best_of_all(&c, size, FEW);
		e = (struct hp_err){ 0 };
		if (share_assign(&c, size, FEW, ASSIGN_EXCHANGE, to, &e) == 0) {
			got = makespan(&c, size, FEW, to);
			CHECK(got >= best * (1 - 1e-12));
			if (round % 2 == 1)
				CHECK(got <= 2 * best);
		} else
			CHECK(e.kind == HP_NOSHARE && round % 2 == 0);
		cluster_fini(&c);
	}
	cost_fini(&cost);
}

int
main(void)
{
	RUN(no_later_than_largest_first);
	RUN(near_the_best);
	return test_done();
}

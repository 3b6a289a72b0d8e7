/*
 * Plans for disturbed runs: hpsolve --risk. Random nodes have points with a
 * shortest and a longest time. For few items, every division of the items is
 * tried: its makespan at many degrees of disturbance, sorted, gives the
 * quantile by its definition. The times are computed by this file. HP_CASES is
 * the number of cases.
 */

#include <math.h>

#include "share/answer.h"
#include "test.h"

enum {
	NODES = 4,
	POINTS = 4,
	DEGREES = 101 /* of disturbance, evenly distributed between 0 and 1 */
};

/* The bands of a node, in ascending sizes. */
struct bands {
	size_t n;
	double size[POINTS], seconds[POINTS], low[POINTS], high[POINTS];
	bool banded[POINTS];
};

struct trial {
	struct cluster c;
	struct cost cost;
	struct bands b[NODES];
	uint64_t total;
	size_t degree; /* P is the degree of this index */
};

static double
degree(size_t i)
{
	return ((double)i + 0.5) / DEGREES;
}

static void
some_bands(struct bands *b, uint64_t total)
{
	double at = 0, seconds = 0.1 + test_unit();

	b->n = 1 + test_below(POINTS);
	for (size_t i = 0; i < b->n; i++) {
		at += 1 + (double)test_below(total);
		seconds += test_unit() * (test_below(4) > 0 ? 3 : 0.01);
		b->size[i] = at;
		b->seconds[i] = seconds;
		b->banded[i] = test_below(5) > 0;
		b->low[i] = seconds * (0.5 + test_unit() / 2);
		b->high[i] = seconds * (1 + 4 * test_unit() * test_unit());
	}
}

static void
trial_init(struct trial *t)
{
	size_t nodes = 1 + test_below(NODES);
	struct hp_err e = { 0 };

	*t = (struct trial){ .total = 1 + test_below(12),
		.degree = test_below(DEGREES) };
	CHECK(cost_parse("n", &t->cost, &e) == 0);
	for (size_t i = 0; i < nodes; i++) {
		struct bands *b = &t->b[i];
		struct node node = { 0 };
		struct point *v;

		some_bands(b, t->total);
		v = calloc(b->n, sizeof *v);
		for (size_t k = 0; k < b->n; k++) {
			v[k].n = b->size[k];
			v[k].seconds = b->seconds[k];
			if (!b->banded[k])
				continue;
			v[k].low = b->low[k];
			v[k].high = b->high[k];
		}
		curve_init(&node.curve);
		CHECK(asprintf(&node.name, "n%zu", i) > 0);
		curve_set_points(&node.curve, v, b->n);
		CHECK(cluster_add(&t->c, &node, &e) == 0);
	}
	cluster_set_cost(&t->c, &t->cost);
}

static void
trial_fini(struct trial *t)
{
	cluster_fini(&t->c);
	cost_fini(&t->cost);
}

static double
speed_at(const struct bands *b, size_t k, double u)
{
	return b->size[k] /
	    (b->banded[k] ? b->low[k] + u * (b->high[k] - b->low[k])
			  : b->seconds[k]);
}

/* hp-cluster(5): the speed is linear between points, constant outside. */
static double
seconds_of(const struct bands *b, double n, double u)
{
	size_t k = 0;
	double part;

	if (n == 0)
		return 0;
	while (k < b->n && b->size[k] < n)
		k++;
	if (k == 0 || k == b->n)
		return n / speed_at(b, k == 0 ? 0 : k - 1, u);
	part = (n - b->size[k - 1]) / (b->size[k] - b->size[k - 1]);
	return n /
	    (speed_at(b, k - 1, u) * (1 - part) + speed_at(b, k, u) * part);
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * The least time that is not exceeded in the part P of all runs, if each degree
 * of disturbance is as likely as the others.
 */
static double
quantile(const struct trial *t, const uint64_t *n)
{
	double makespan[DEGREES];

	for (size_t j = 0; j < DEGREES; j++) {
		makespan[j] = 0;
		for (size_t i = 0; i < t->c.n; i++)
			makespan[j] = fmax(makespan[j],
			    seconds_of(&t->b[i], (double)n[i], degree(j)));
	}
	qsort(makespan, DEGREES, sizeof *makespan, by_value);
	return makespan[t->degree];
}

/* Tries all divisions of `rest` items among the nodes from i on. */
static double
least_of_all(const struct trial *t, uint64_t *n, size_t i, uint64_t rest)
{
	double least = INFINITY;

	if (i + 1 == t->c.n) {
		n[i] = rest;
		return quantile(t, n);
	}
	for (n[i] = 0; n[i] <= rest; n[i]++)
		least = fmin(least, least_of_all(t, n, i + 1, rest - n[i]));
	return least;
}

static void
no_division_has_a_smaller_quantile(void)
{
	const char *asked = getenv("HP_CASES");
	int cases = asked != NULL ? atoi(asked) : 300;

	for (int i = 0; i < cases && test.bad == 0; i++) {
		uint64_t n[NODES];
		struct trial t;
		struct problem p;
		struct answer a;
		struct hp_err e = { 0 };
		double least;

		trial_init(&t);
		least = least_of_all(&t, n, 0, t.total);
		cluster_risk(&t.c, degree(t.degree));
		p = (struct problem){ .cluster = &t.c, .total = t.total };
		if (share_solve(&p, METHOD_AUTO, &a, &e) == -1) {
			test_bad(__FILE__, __LINE__, "%s", e.text);
			trial_fini(&t);
			return;
		}
		CHECK(a.proof.optimal);
		CHECK(fabs(a.proof.makespan - least) <= 1e-9 * least);
		CHECK(fabs(quantile(&t, a.n) - least) <= 1e-9 * least);
		answer_fini(&a);
		trial_fini(&t);
	}
}

int
main(void)
{
	RUN(no_division_has_a_smaller_quantile);
	return test_done();
}

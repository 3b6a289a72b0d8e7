/*
 * Plans of any size, compared with an exact reference. No plan may be called
 * optimal, and no bound the least, if the reference finds a plan that finishes
 * earlier. HP_CASES is the number of cases of each of the four kinds.
 */

#include <math.h>

#include "reference.h"
#include "share/answer.h"
#include "share/learn.h"
#include "test.h"

enum {
	CASES = 100 /* of each kind: about 1 s */
};

/* Tolerances of hp-plan(5), section Accuracy; the second is for expressions. */
static const double ROUNDED = 0x1p-52 * 1.001, WRITTEN = 1.001e-11;

static double
some_number(void)
{
	static const double decimal[] = { 0.1, 0.2, 0.3, 0.7, 1.37, 2.5 };

	return test_below(3) == 0 ? decimal[test_below(6)]
				  : (double)(1 + test_below(9));
}

/* Returns a total up to 2^53; small and large ones are equally frequent. */
static uint64_t
some_total(void)
{
	uint64_t n = test_random() >> (11 + test_below(53));

	return test_below(20) == 0 ? COUNT_MOST - test_below(2) : n;
}

/*
 * Returns a size from 1 to about the total, because shares are in this range.
 */
static uint64_t
some_size(const struct trial *t)
{
	double x = test_unit();

	if (test_below(3) == 0)
		x /= (double)(2 + test_below(1000));
	return 1 + (uint64_t)(x * (double)t->total);
}

static void
write_cost(struct trial *t)
{
	size_t len = 0;

	for (const char *s = t->by->text; *s != '\0'; s++) {
		char *to = t->text + len;
		size_t room = sizeof t->text - len;

		if (*s == 'A')
			len += (size_t)snprintf(to, room, "%.0f", t->A);
		else if (*s == 'B')
			len += (size_t)snprintf(to, room, "%g", t->B);
		else
			len += (size_t)snprintf(to, room, "%c", *s);
	}
}

static int
by_n(const void *a, const void *b)
{
	double x = ((const struct point *)a)->n;
	double y = ((const struct point *)b)->n;

	return (x > y) - (x < y);
}

/* Adds points. Plateaus are frequent; times decrease only if falls is set. */
static void
some_points(struct trial *t, struct machine *m, bool falls)
{
	size_t n = 1 + test_below(POINTS);
	double seconds = some_number();

	for (size_t i = 0; i < n; i++)
		m->point[i].n = (double)some_size(t);
	qsort(m->point, n, sizeof *m->point, by_n);
	for (size_t i = 0; i < n; i++) {
		if (m->points > 0 && m->point[i].n == m->point[m->points - 1].n)
			continue;
		if (falls)
			seconds = some_number();
		else if (test_below(3) > 0)
			seconds += some_number() *
			    (test_below(2) == 0
				    ? 1
				    : (double)(1 + test_below(1000)));
		m->point[m->points++] = (struct point){ m->point[i].n,
			seconds };
	}
	m->beyond = (enum beyond)test_below(3);
}

static void
some_machine(struct trial *t, struct machine *m, unsigned kind)
{
	bool falls = kind == 2 && test_below(2) == 0;

	*m = (struct machine){ .capacity = COUNT_MOST };
	m->speed = test_below(4) == 0 ? 0.01 + test_unit() : some_number();
	if (kind == 1 || falls || (kind == 2 && test_below(2) == 0))
		some_points(t, m, falls);
	if (test_below(3) == 0)
		m->capacity = test_below(3) == 0 ? test_below(3) : some_size(t);
	if (test_below(4) == 0)
		m->latency = some_number() *
		    (test_below(2) == 0 ? 1 : (double)t->total);
	/* With a transport time, a decreasing time could change direction
	 * anywhere. */
	if (test_below(4) == 0 && !falls &&
	    (m->points > 0 || t->by->falls != SINKS))
		m->per_item = some_number() * (test_below(2) == 0 ? 1 : 1e-9);
	t->rises = t->rises && !falls &&
	    (m->points > 0 || t->by->falls == RISES);
}

static void
add_node(struct trial *t, size_t i)
{
	const struct machine *m = &t->m[i];
	struct node node = { 0 };
	struct hp_err e = { 0 };
	struct point *p;

	curve_init(&node.curve);
	CHECK(asprintf(&node.name, "n%zu", i) > 0);
	node.curve.speed = m->speed;
	node.curve.capacity = m->capacity;
	node.curve.latency_s = m->latency;
	node.curve.seconds_per_item = m->per_item;
	node.curve.beyond = m->beyond;
	if (m->points > 0) {
		p = calloc(m->points, sizeof *p);
		memcpy(p, m->point, m->points * sizeof *p);
		curve_set_points(&node.curve, p, m->points);
	}
	CHECK(cluster_add(&t->c, &node, &e) == 0);
}

/*
 * The nodes of kind 0 have speeds, of kind 1 measured points, of kind 2 both.
 * Kind 3 has a learned cost.
 */
static void
trial_init(struct trial *t, unsigned kind)
{
	struct hp_err e = { 0 };

	*t = (struct trial){ .total = some_total(), .rises = true };
	t->by = &costs[test_below(sizeof costs / sizeof *costs)];
	t->A = (double)some_size(t);
	t->B = some_number();
	t->nodes = 1 + test_below(NODES);
	write_cost(t);
	for (size_t i = 0; i < t->nodes; i++) {
		some_machine(t, &t->m[i], kind == 3 ? 1 : kind);
		/* Make sure that most cases have a plan. */
		if (i == 0 && test_below(8) > 0) {
			t->m[i].capacity = COUNT_MOST;
			t->m[i].beyond = BEYOND_CONST;
		}
		add_node(t, i);
	}
	if (kind < 3) {
		if (cost_parse(t->text, &t->cost, &e) == -1)
			test_bad(__FILE__, __LINE__, "%s", e.text);
		cluster_set_cost(&t->c, &t->cost);
		return;
	}
	CHECK(cluster_learn(&t->c, MERGE_MEAN, &t->cost, &e) == 0);
	t->learned = true;
	t->nknown = t->cost.nknown;
	memcpy(t->known + 1, t->cost.known, t->nknown * sizeof *t->known);
}

static void
trial_fini(struct trial *t)
{
	cluster_fini(&t->c);
	cost_fini(&t->cost);
}

static void
show(const struct trial *t, const struct answer *a)
{
	printf("# %s, %ju items, method %s, makespan %.17g, bound %.17g%s\n",
	    t->learned ? "learned" : t->text, (uintmax_t)t->total,
	    method_name(a->method), a->proof.makespan, a->bound,
	    a->proof.optimal ? ", optimal" : "");
	for (size_t i = 0; i < t->nodes; i++) {
		const struct machine *m = &t->m[i];

		printf("# gets %ju by %.21Lg: speed %.17g, capacity %ju, "
		       "latency %.17g, an item %.17g, beyond %d",
		    (uintmax_t)a->n[i], (long double)time_of(t, i, a->n[i]),
		    m->speed, (uintmax_t)m->capacity, m->latency, m->per_item,
		    (int)m->beyond);
		for (size_t j = 0; j < m->points; j++)
			printf(" (%.0f, %.17g)", m->point[j].n,
			    m->point[j].seconds);
		printf("\n");
	}
}

/* Returns whether a node other than the last one could do more in clearly less
 * than T. */
static bool
another(const struct trial *t, const struct answer *a, quad T)
{
	for (size_t i = 0; i < t->nodes; i++)
		if (i != a->proof.last && time_of(t, i, a->n[i] + 1) <= T)
			return true;
	return false;
}

static void
judge(const struct trial *t, const struct answer *a)
{
	bool written = !t->learned && t->cost.kind == COST_EXPR;
	quad error = written ? WRITTEN : ROUNDED, T = 0, makespan, bound;
	uint64_t sum = 0;

	for (size_t i = 0; i < t->nodes; i++) {
		quad y = time_of(t, i, a->n[i]);

		sum += a->n[i];
		T = y > T ? y : T;
	}
	CHECK_EQ_U64(sum, t->total);
	makespan = a->proof.makespan;
	bound = a->bound;
	CHECK(makespan >= T * (1 - error) && makespan <= T * (1 + error));
	if (a->proof.optimal && T > 0)
		CHECK(!possible(t, T * (1 - error)));
	if (!a->unproven && bound > 0)
		CHECK(!possible(t, bound * (1 - error)));
	CHECK(possible(t, bound * (1 + error)));
	CHECK(!a->proof.unique || a->proof.optimal);
	if (a->proof.unique && t->rises && t->nodes > 1 && T > 0)
		CHECK(!another(t, a, T * (1 - error)));
}

struct tally {
	unsigned optimal, not, none;
};

static void
solve(const struct trial *t, enum method m, uint64_t block, struct tally *sum)
{
	struct problem p = { &t->c, t->total, block };
	struct hp_err e = { 0 };
	struct answer a;

	if (share_solve(&p, m, &a, &e) == 0) {
		judge(t, &a);
		/*
		 * Measured times, and costs that are known to be
		 * non-decreasing, have optimal plans.
		 */
		if (m == METHOD_AUTO && t->cost.kind != COST_EXPR)
			CHECK(a.proof.optimal);
		sum->optimal += a.proof.optimal;
		sum->not += !a.proof.optimal;
		if (test.bad > 0)
			show(t, &a);
	} else {
		sum->none++;
		if (e.kind == HP_NOSHARE)
			CHECK(m != METHOD_AUTO || !possible(t, 1e300));
		else
			CHECK(e.kind == HP_USAGE);
		if (test.bad > 0)
			printf("# %s, %ju items: %s\n", t->text,
			    (uintmax_t)t->total, e.text);
	}
	answer_fini(&a);
}

static void
against_the_reference(unsigned kind)
{
	const char *asked = getenv("HP_CASES");
	int all = asked != NULL ? atoi(asked) : CASES;
	struct tally sum = { 0 };

	for (int i = 0; i < all && test.bad == 0; i++) {
		struct trial t;
		uint64_t state;

		test_random();
		state = test.state;
		trial_init(&t, kind);
		solve(&t, METHOD_AUTO, 0, &sum);
		if (test.bad == 0)
			solve(&t, (enum method)(1 + test_below(METHODS - 1)), 0,
			    &sum);
		if (test.bad == 0 && test_below(4) == 0)
			solve(&t, METHOD_DP, t.total / 200 + 1, &sum);
		if (test.bad > 0)
			printf("# case %d, HP_SEED=%" PRIu64 "\n", i, state);
		trial_fini(&t);
	}
	printf("# %u optimal, %u not, %u without a plan\n", sum.optimal,
	    sum.not, sum.none);
	CHECK(sum.optimal > (unsigned)all / 4);
}

static void
plans_by_speed(void)
{
	against_the_reference(0);
}

static void
plans_by_points(void)
{
	against_the_reference(1);
}

static void
plans_of_mixed_nodes_that_may_fall(void)
{
	against_the_reference(2);
}

static void
plans_by_a_learned_cost(void)
{
	against_the_reference(3);
}

int
main(void)
{
	RUN(plans_by_speed);
	RUN(plans_by_points);
	RUN(plans_of_mixed_nodes_that_may_fall);
	RUN(plans_by_a_learned_cost);
	return test_done();
}

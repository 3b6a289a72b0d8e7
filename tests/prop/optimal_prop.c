/*
 * No plan is called optimal if it is not. Random clusters and costs: each plan
 * is compared with the least makespan that a simple method finds. HP_CASES is
 * the number of cases of each kind.
 */

#include <math.h>

#include "share/answer.h"
#include "test.h"

enum {
	NODES = 5,
	ITEMS = 300,
	SIZES = 16 /* special sizes of a case: points, limits, steps of costs */
};

/* The relative error that hp-plan(5) allows in times computed in doubles. */
static const double ROUNDING = 1e-11;

struct trial {
	struct cluster c;
	struct cost cost;
	uint64_t total;
	uint64_t size[SIZES];
	size_t sizes;
};

static int
cases(int few)
{
	const char *asked = getenv("HP_CASES");

	return asked != NULL ? atoi(asked) : few;
}

static double
some_number(void)
{
	static const double decimal[] = { 0.1, 0.2, 0.3, 0.7, 1.37, 2.5 };

	return test_below(3) == 0 ? decimal[test_below(6)]
				  : (double)(1 + test_below(9));
}

/*
 * Returns a size from 1 to about the total, because shares are in this range.
 */
static uint64_t
some_size(struct trial *t)
{
	uint64_t x = 1 + (uint64_t)(test_unit() * (double)t->total);

	if (t->sizes < SIZES)
		t->size[t->sizes++] = x;
	return x;
}

/*
 * Costs that increase, stay the same or decrease: at one size, from one size
 * on, or in an interval. A stands for a size, B for a number.
 */
static const char *const costs[] = { "n", "n*log(n)", "n*log2(n)", "n^2",
	"sqrt(n)", "n^1.3", "B", "n+5", "n*n+B*n", "n*log(n)+B*n", "max(n,A)",
	"min(n,A)", "log(n)", "exp(n/A)", "n/log(n+2)", "n-log(n)",
	"n>=A?2*n:n", "n<A?n:A+sqrt(n-A)", "(n>A)*B+n", "n==A?n:4*n",
	"n==A?0:n", "n==A||n==A+1?n/2:n*log(n+1)", "n+A*(n<A)", "n+B*(n!=A)",
	"n<A?n:n-A", "n*log(n+1)*(n==A?0.7:1)", "n>A&&n<A+B?A/2:n", "abs(n-A)",
	"max(A-n,n)", "1/n", "n+sin(n)" };

static void
some_cost(struct trial *t)
{
	const char *from = costs[test_below(sizeof costs / sizeof costs[0])];
	uint64_t A = some_size(t);
	double B = some_number();
	struct hp_err e = { 0 };
	char text[200] = "";

	for (; *from != '\0'; from++) {
		size_t len = strlen(text);

		if (*from == 'A')
			snprintf(
			    text + len, sizeof text - len, "%ju", (uintmax_t)A);
		else if (*from == 'B')
			snprintf(text + len, sizeof text - len, "%g", B);
		else
			snprintf(text + len, sizeof text - len, "%c", *from);
	}
	if (cost_parse(text, &t->cost, &e) == -1)
		test_bad(__FILE__, __LINE__, "%s", e.text);
}

static int
by_n(const void *a, const void *b)
{
	double x = ((const struct point *)a)->n;
	double y = ((const struct point *)b)->n;

	return (x > y) - (x < y);
}

/* Adds up to four points. Plateaus are frequent; times may decrease if falls is
 * set. */
static void
some_points(struct trial *t, struct curve *c, bool falls)
{
	size_t n = 1 + test_below(4), kept = 0;
	struct point *p = calloc(n, sizeof *p);
	double seconds = some_number();

	for (size_t i = 0; i < n; i++)
		p[i].n = (double)some_size(t);
	qsort(p, n, sizeof *p, by_n);
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && p[i].n == p[kept - 1].n)
			continue;
		if (falls)
			seconds = some_number();
		else if (test_below(3) > 0)
			seconds += some_number();
		p[kept++] = (struct point){ p[i].n, seconds };
	}
	curve_set_points(c, p, kept);
	c->beyond = (enum beyond)test_below(3);
}

enum models {
	BY_SPEED = 1,
	BY_POINTS = 2,
	FALLING = 4
};

static void
some_node(struct trial *t, size_t i, unsigned models)
{
	struct node node = { 0 };
	struct hp_err e = { 0 };
	bool points = (models & BY_SPEED) == 0 ||
	    ((models & BY_POINTS) != 0 && test_below(2) == 0);

	curve_init(&node.curve);
	CHECK(asprintf(&node.name, "n%zu", i) > 0);
	node.curve.speed = some_number();
	if (points)
		some_points(t, &node.curve, (models & FALLING) != 0);
	if (test_below(3) == 0)
		node.curve.capacity = test_below(3) == 0
		    ? test_below(3)
		    : some_size(t) / (1 + test_below(3));
	if (test_below(4) == 0)
		node.curve.latency_s = some_number();
	if (test_below(4) == 0)
		node.curve.seconds_per_item = some_number() *
		    (double)(test_below(2) * ITEMS) / (double)(t->total + 1);
	CHECK(cluster_add(&t->c, &node, &e) == 0);
}

static void
trial_init(struct trial *t, uint64_t total, size_t nodes, unsigned models)
{
	*t = (struct trial){ .total = total };
	some_cost(t);
	for (size_t i = 0; i < nodes; i++)
		some_node(t, i, models);
	cluster_set_cost(&t->c, &t->cost);
}

static void
trial_fini(struct trial *t)
{
	cluster_fini(&t->c);
	cost_fini(&t->cost);
}

static void
show(const struct trial *t, const struct answer *a, double least)
{
	printf("# %s, %ju items, least %.17g, method %s\n", t->cost.text,
	    (uintmax_t)t->total, least, method_name(a->method));
	for (size_t i = 0; i < t->c.n; i++) {
		const struct curve *c = &t->c.node[i].curve;

		printf("# gets %ju by %.17g: speed %g, limit %ju, latency %g, "
		       "an item %g, beyond %d",
		    a->n == NULL ? UINTMAX_C(0) : (uintmax_t)a->n[i],
		    a->n == NULL ? 0 : curve_time(c, a->n[i]), c->speed,
		    (uintmax_t)curve_limit(c), c->latency_s,
		    c->seconds_per_item, (int)c->beyond);
		for (uint32_t j = 0; j < c->npoints; j++)
			printf(
			    " (%.0f, %g)", c->point[j].n, c->point[j].seconds);
		printf("\n");
	}
}

/* Checks the answer against the least makespan of any plan. */
static void
judge(const struct trial *t, const struct answer *a, double least)
{
	bool written = t->cost.kind == COST_EXPR;
	double latest = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < t->c.n; i++) {
		sum += a->n[i];
		latest = fmax(latest, curve_time(&t->c.node[i].curve, a->n[i]));
	}
	CHECK_EQ_U64(sum, t->total);
	CHECK(latest == a->proof.makespan);
	if (a->proof.optimal)
		CHECK(latest <= least * (written ? 1 + ROUNDING : 1));
	if (a->proof.unique)
		CHECK(a->proof.optimal);
}

/* Returns whether some share that a node can take needs a time beyond the range
 * of doubles. */
static bool
overflows(const struct trial *t)
{
	for (size_t i = 0; i < t->c.n; i++) {
		const struct curve *c = &t->c.node[i].curve;
		uint64_t most = curve_limit(c);

		if (isinf(curve_time(c, most < t->total ? most : t->total)))
			return true;
	}
	return false;
}

/*
 * Solves the problem and checks the plan.  Returns whether its proof calls it
 * optimal.
 */
static bool
solve(const struct trial *t, enum method m, double least)
{
	struct hp_err e = { 0 };
	struct answer a;
	bool optimal = false;

	if (share_solve(&(struct problem){ &t->c, t->total, 0 }, m, &a, &e) ==
	    0) {
		judge(t, &a, least);
		optimal = a.proof.optimal;
	} else if (e.kind != HP_USAGE &&
	    !(e.kind == HP_NOSHARE && (isinf(least) || overflows(t))))
		test_bad(__FILE__, __LINE__, "%s: %s", method_name(m), e.text);
	if (test.bad > 0)
		show(t, &a, least);
	answer_fini(&a);
	return optimal;
}

/* Computes the table of the dynamic program: best[m] for m items, node by
 * node. */
static double
least_of_all(const struct trial *t)
{
	static double best[ITEMS + 1], next[ITEMS + 1], time[ITEMS + 1];
	size_t N = (size_t)t->total;

	for (size_t m = 1; m <= N; m++)
		best[m] = INFINITY;
	best[0] = 0;
	for (size_t i = 0; i < t->c.n; i++) {
		for (size_t x = 0; x <= N; x++)
			time[x] = curve_time(&t->c.node[i].curve, x);
		for (size_t m = 0; m <= N; m++) {
			next[m] = INFINITY;
			for (size_t x = 0; x <= m; x++)
				next[m] = fmin(
				    next[m], fmax(time[x], best[m - x]));
		}
		memcpy(best, next, sizeof best);
	}
	return best[N];
}

/* Counts the plans with at most this makespan; stops at 2. */
static unsigned
plans_within(const struct trial *t, double T)
{
	static unsigned ways[ITEMS + 1], next[ITEMS + 1];
	size_t N = (size_t)t->total;

	memset(ways, 0, sizeof ways);
	ways[0] = 1;
	for (size_t i = 0; i < t->c.n; i++) {
		memset(next, 0, sizeof next);
		for (size_t x = 0; x <= N; x++) {
			if (curve_time(&t->c.node[i].curve, x) > T)
				continue;
			for (size_t m = x; m <= N; m++)
				next[m] = next[m] + ways[m - x] > 1
				    ? 2
				    : next[m] + ways[m - x];
		}
		memcpy(ways, next, sizeof ways);
	}
	return ways[N];
}

static void
small_problems(void)
{
	unsigned optimal = 0;
	int all = cases(400);

	for (int i = 0; i < all && test.bad == 0; i++) {
		struct trial t;
		struct answer a;
		struct hp_err e = { 0 };
		double least;

		trial_init(&t, test_below(ITEMS + 1), 1 + test_below(NODES),
		    1 + (unsigned)test_below(7));
		least = least_of_all(&t);
		for (int m = 0; m < METHODS; m++)
			optimal += solve(&t, (enum method)m, least);
		/* The best method's value of `unique` is exact. */
		if (share_solve(&(struct problem){ &t.c, t.total, 0 },
			METHOD_AUTO, &a, &e) == 0 &&
		    t.cost.kind != COST_EXPR) {
			CHECK(a.proof.optimal);
			CHECK(a.proof.unique == (plans_within(&t, least) == 1));
			if (test.bad > 0)
				show(&t, &a, least);
		}
		answer_fini(&a);
		trial_fini(&t);
	}
	CHECK(optimal > (unsigned)all);
}

int
main(void)
{
	RUN(small_problems);
	return test_done();
}

/*
 * The published test vectors, examples/vectors.json. Its member meta describes
 * each kind of check. Each vector is a test.
 */

#include <math.h>

#include <jansson.h>

#include "cost/learned.h"
#include "share/answer.h"
#include "share/assign.h"
#include "share/closed.h"
#include "share/dp.h"
#include "share/fill.h"
#include "share/search.h"
#include "split/demand.h"
#include "test.h"

static json_t *vector; /* the vector of the current test */

static json_t *
in(const char *member)
{
	return json_object_get(json_object_get(vector, "input"), member);
}

static json_t *
expect(const char *member)
{
	return json_object_get(json_object_get(vector, "expect"), member);
}

/* Parses a number, a number in a string, or a fraction in a string. */
static double
number(const json_t *v)
{
	const char *s = json_string_value(v);
	double x;
	char *end;

	if (s == NULL)
		return json_number_value(v);
	x = strtod(s, &end);
	return *end == '/' ? x / strtod(end + 1, NULL) : x;
}

static double
number_at(const json_t *array, size_t i)
{
	return number(json_array_get(array, i));
}

static uint64_t
count_at(const json_t *array, size_t i)
{
	return (uint64_t)number_at(array, i);
}

static void
set_cost(struct cost *cost)
{
	const char *name = json_string_value(in("cost"));
	char text[64] = "n";
	struct hp_err e = { 0 };

	if (name != NULL && strcmp(name, "nlogn") == 0)
		strcpy(text, "n*log(n)");
	else if (name != NULL && strcmp(name, "power") == 0)
		snprintf(text, sizeof text, "n^%.17g", number(in("b")));
	CHECK(cost_parse(text, cost, &e) == 0);
}

static void
set_points(struct curve *c, const json_t *processor)
{
	const json_t *points = json_object_get(processor, "points");
	const json_t *most = json_object_get(processor, "mem_limit");
	const char *beyond = json_string_value(
	    json_object_get(processor, "extrap"));
	size_t n = json_array_size(points);
	struct point *p = calloc(n, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		const json_t *point = json_array_get(points, i);

		p[i].n = number_at(point, 0);
		p[i].seconds = p[i].n / number_at(point, 1);
	}
	curve_set_points(c, p, n);
	if (strcmp(beyond, "none") == 0)
		beyond = "stop";
	CHECK(beyond_parse(beyond, &c->beyond) == 0);
	if (json_is_number(most))
		c->capacity = (uint64_t)number(most);
}

static void
set_cluster(struct cluster *c, const struct cost *cost)
{
	const json_t *k = in("k"), *processors = in("processors");
	size_t p = json_array_size(k != NULL ? k : processors);
	struct hp_err e = { 0 };

	*c = (struct cluster){ 0 };
	for (size_t i = 0; i < p; i++) {
		struct node node = { 0 };

		curve_init(&node.curve);
		CHECK(asprintf(&node.name, "n%zu", i) > 0);
		if (k != NULL)
			node.curve.speed = number_at(k, i);
		if (processors != NULL)
			set_points(&node.curve, json_array_get(processors, i));
		if (json_is_number(json_array_get(in("mem_limit"), i)))
			node.curve.capacity = count_at(in("mem_limit"), i);
		if (in("startup") != NULL)
			node.curve.latency_s = number_at(in("startup"), i);
		CHECK(cluster_add(c, &node, &e) == 0);
	}
	cluster_set_cost(c, cost);
}

static void
check_plan(const struct cluster *c, const struct answer *a)
{
	bool unique = json_is_true(expect("unique"));
	double gap = json_is_number(expect("gap_next"))
	    ? number(expect("gap_next"))
	    : 1;
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n; i++) {
		sum += a->n[i];
		if (unique && gap > 1e-13)
			CHECK_EQ_U64(a->n[i], count_at(expect("n"), i));
	}
	CHECK_EQ_U64(sum, number(in("N")));
	CHECK_NEAR(a->proof.makespan, number(expect("T_float")), 1e-9);
	CHECK_NEAR(a->bound, number(expect("T_float")), 1e-9);
	CHECK(a->proof.optimal);
	CHECK(a->proof.unique == unique);
}

static void
solve(enum method m)
{
	struct cost cost = { 0 };
	struct cluster c;
	struct answer a;
	struct hp_err e = { 0 };
	char capacity[32];

	set_cost(&cost);
	set_cluster(&c, &cost);
	if (share_solve(&(struct problem){ &c, (uint64_t)number(in("N")), 0 },
		m, &a, &e) == 0) {
		CHECK(!json_is_true(expect("infeasible")));
		check_plan(&c, &a);
		answer_fini(&a);
	} else {
		CHECK(json_is_true(expect("infeasible")));
		CHECK(e.kind == HP_NOSHARE);
		snprintf(capacity, sizeof capacity, " %.0f",
		    number(expect("capacity")));
		CHECK(strstr(e.text, capacity) != NULL);
	}
	cluster_fini(&c);
	cost_fini(&cost);
}

static void
exact(void)
{
	solve(METHOD_EXACT);
}

static void
fpm(void)
{
	solve(METHOD_FPM);
}

static void
proportional(void)
{
	solve(METHOD_PROPORTIONAL);
}

static void
certify(void)
{
	uint64_t total = (uint64_t)number(in("N")), n[16], sum = 0;
	struct cost cost = { 0 };
	struct cluster c;
	struct certificate proof;

	set_cost(&cost);
	set_cluster(&c, &cost);
	for (size_t i = 0; i < c.n; i++)
		sum += n[i] = count_at(in("plan"), i);
	share_certify(&c, total, n, &proof);
	CHECK((sum == total && proof.optimal) == json_is_true(expect("ok")));
	if (json_is_number(expect("below"))) {
		CHECK_EQ_U64(proof.below, number(expect("below")));
		CHECK_EQ_U64(proof.upto, number(expect("upto")));
	}
	cluster_fini(&c);
	cost_fini(&cost);
}

static size_t
get_speeds(double *k)
{
	size_t p = json_array_size(in("k"));

	for (size_t i = 0; i < p; i++)
		k[i] = number_at(in("k"), i);
	return p;
}

static void
taylor(void)
{
	double k[64], x[64];
	size_t p = get_speeds(k);

	closed_taylor(k, p, number(in("N")), x);
	for (size_t i = 0; i < p; i++)
		CHECK_NEAR(x[i], number_at(expect("n_real"), i), 1e-9);
}

static void
power_real(void)
{
	double k[128], x[128];
	size_t p = get_speeds(k);

	closed_power(k, p, number(in("N")), number(in("b")), x);
	for (size_t i = 0; i < p; i++)
		CHECK_NEAR(x[i], number_at(expect("n_real"), i), 1e-9);
}

static void
lambert(void)
{
	for (size_t i = 0; i < json_array_size(in("x")); i++)
		CHECK_NEAR(cost_lambert(number_at(in("x"), i)),
		    number_at(expect("g"), i), 1e-13);
}

static void
lambert_asymptotic(void)
{
	for (size_t i = 0; i < json_array_size(in("x")); i++) {
		double x = number_at(in("x"), i);

		CHECK_NEAR(closed_asymptotic_inverse(x, false),
		    number_at(expect("corrected"), i), 1e-9);
		CHECK_NEAR(closed_asymptotic_inverse(x, true),
		    number_at(expect("printed"), i), 1e-9);
		CHECK_NEAR(
		    cost_lambert(x), number_at(expect("exact"), i), 1e-13);
	}
}

static void
real_plan(const char *kind, double T, const double *x, size_t p)
{
	const json_t *want = expect(kind);

	CHECK_NEAR(T, number(json_object_get(want, "T")), 1e-9);
	for (size_t i = 0; i < p; i++)
		CHECK_NEAR(
		    x[i], number_at(json_object_get(want, "n_real"), i), 1e-9);
}

static void
lambert_partition(void)
{
	double k[8], x[8], N = number(in("N")), T;
	size_t p = get_speeds(k);
	struct cost cost = { 0 };
	struct cluster c;

	T = closed_asymptotic(k, p, N, false, x);
	real_plan("corrected", T, x, p);
	T = closed_asymptotic(k, p, N, true, x);
	real_plan("printed", T, x, p);
	set_cost(&cost);
	set_cluster(&c, &cost);
	T = share_root(&c, (uint64_t)N, NULL);
	for (size_t i = 0; i < p; i++)
		x[i] = cost_lambert(T * k[i]);
	real_plan("exact", T, x, p);
	cluster_fini(&c);
	cost_fini(&cost);
}

/*
 * The printed rule gives the last item to the node with the smallest (n + 1)/k.
 * The vectors show that this is not optimal.
 */
static void
printed_rule(void)
{
	struct cost cost = { 0 };
	struct cluster c;
	struct certificate proof;
	struct hp_err e = { 0 };
	uint64_t n[8], total = (uint64_t)number(in("N")), sum = 0;
	double k[8], x[8];

	set_cost(&cost);
	set_cluster(&c, &cost);
	closed_power(k, get_speeds(k), number(in("N")), number(in("b")), x);
	for (size_t i = 0; i < c.n; i++)
		sum += n[i] = (uint64_t)x[i];
	CHECK(share_hand_out(&c, share_key_speed, total - sum, n, &e) == 0);
	share_certify(&c, total, n, &proof);
	for (size_t i = 0; i < c.n; i++)
		CHECK_EQ_U64(n[i], count_at(expect("n"), i));
	CHECK_NEAR(proof.makespan, number(expect("T_float")), 1e-9);
	CHECK(!proof.optimal);
	CHECK(share_exact(&c, total, n, NULL, &e) == 0);
	share_certify(&c, total, n, &proof);
	for (size_t i = 0; i < c.n; i++)
		CHECK_EQ_U64(n[i], count_at(expect("n_optimal"), i));
	CHECK_NEAR(proof.makespan, number(expect("T_optimal")), 1e-9);
	CHECK(proof.optimal);
	cluster_fini(&c);
	cost_fini(&cost);
}

static enum merge
merge_named(const char *s)
{
	if (strcmp(s, "weighted") == 0)
		return MERGE_WEIGHTED;
	CHECK(strcmp(s, "max") == 0 || strcmp(s, "mean") == 0);
	return strcmp(s, "max") == 0 ? MERGE_MAX : MERGE_MEAN;
}

/* Finished runs become the points of nodes with known speeds. */
static void
learned(void)
{
	const json_t *records = in("records");
	size_t n = json_array_size(records);
	struct record r[8];
	struct cost cost = { 0 };
	struct cluster c;
	struct answer a;
	struct hp_err e = { 0 };

	for (size_t i = 0; i < n; i++) {
		const json_t *x = json_array_get(records, i);

		r[i] = (struct record){ number_at(x, 0),
			number_at(x, 1) * number_at(x, 2),
			json_array_size(x) > 3 ? number_at(x, 3) : 1 };
	}
	CHECK(cost_learn(&cost, r, n,
		  merge_named(json_string_value(in("merge"))), &e) == 0);
	for (size_t i = 0; i < json_array_size(expect("curve")); i++) {
		const json_t *x = json_array_get(expect("curve"), i);

		CHECK_NEAR((double)cost_at(&cost, number_at(x, 0)),
		    number_at(x, 1), 1e-9);
	}
	set_cluster(&c, &cost);
	CHECK(share_solve(&(struct problem){ &c, (uint64_t)number(in("N")), 0 },
		  METHOD_LEARNED, &a, &e) == 0);
	check_plan(&c, &a);
	answer_fini(&a);
	cluster_fini(&c);
	cost_fini(&cost);
}

/*
 * Largest-first followed by exchanges finishes no later than largest-first
 * alone, whose time the vectors give. For small cases it is not earlier than
 * the optimum.
 */
static void
largest_first(void)
{
	const json_t *sizes = in("sizes"), *perf = in("perf");
	size_t n = json_array_size(sizes), p = json_array_size(perf);
	uint64_t size[300];
	uint32_t to[300];
	double load[8] = { 0 }, latest = 0;
	struct cost cost = { 0 };
	struct cluster c = { 0 };
	struct hp_err e = { 0 };

	set_cost(&cost);
	for (size_t i = 0; i < p; i++) {
		struct node node = { 0 };

		curve_init(&node.curve);
		CHECK(asprintf(&node.name, "n%zu", i) > 0);
		node.curve.speed = number_at(perf, i);
		CHECK(cluster_add(&c, &node, &e) == 0);
	}
	cluster_set_cost(&c, &cost);
	for (size_t i = 0; i < n; i++)
		size[i] = count_at(sizes, i);
	CHECK(share_assign(&c, size, n, ASSIGN_EXCHANGE, to, &e) == 0);
	for (size_t i = 0; i < n; i++)
		load[to[i]] += curve_time(&c.node[to[i]].curve, size[i]);
	for (size_t i = 0; i < p; i++)
		latest = fmax(latest, load[i]);
	CHECK(latest <= number(expect("makespan_float")) * (1 + 1e-9));
	if (json_is_number(expect("optimum")))
		CHECK(latest >= number(expect("optimum")) * (1 - 1e-9));
	cluster_fini(&c);
	cost_fini(&cost);
}

/* The number of candidates and pivots, and the resulting probability. */
static void
bounds(void)
{
	static const struct {
		const char *sum;
		uint64_t n;
	} sums[] = { { "10", 10 }, { "17", 17 } };

	for (int i = 0; i < 2; i++) {
		uint64_t n = sums[i].n;
		const json_t *want = expect(sums[i].sum);

		CHECK_EQ_U64(demand_candidates(DEMAND_PSS, n, 4),
		    floor(number(json_object_get(want, "pss_candidates"))));
		CHECK_EQ_U64(demand_candidates(DEMAND_PSOP, n, 4),
		    floor(number(json_object_get(want, "psop_candidates"))));
		CHECK_EQ_U64(demand_sublists(n) - 1,
		    floor(number(json_object_get(want, "psop_pivots"))));
		for (int k = 3; k <= 6; k += 3) {
			double pivots = k * (double)n * log2((double)n) - 1;
			double sure = number(json_object_get(want,
			    k == 3 ? "prob_k3_pk_minus_1"
				   : "prob_k6_pk_minus_1"));

			/* The vectors count fractions of a pivot. */
			CHECK(demand_probability(n, (uint64_t)pivots) <= sure);
			CHECK(demand_probability(n, (uint64_t)pivots + 1) >=
			    sure);
		}
	}
}

/*
 * A multiple of the sum of the speeds leaves no remainder. With a linear cost,
 * all nodes then finish at the same time.
 */
static void
perfect_case(void)
{
	uint64_t total = (uint64_t)number(in("N")), sum = 0;
	const json_t *perf = in("perf");
	struct cost cost = { 0 };
	struct cluster c = { 0 };
	struct answer a;
	struct hp_err e = { 0 };
	bool whole = true;

	CHECK(cost_parse("n", &cost, &e) == 0);
	for (size_t i = 0; i < json_array_size(perf); i++) {
		struct node node = { 0 };

		curve_init(&node.curve);
		CHECK(asprintf(&node.name, "n%zu", i) > 0);
		node.curve.speed = number_at(perf, i);
		sum += count_at(perf, i);
		CHECK(cluster_add(&c, &node, &e) == 0);
	}
	cluster_set_cost(&c, &cost);
	CHECK(share_solve(&(struct problem){ &c, total, 0 },
		  METHOD_PROPORTIONAL, &a, &e) == 0);
	for (size_t i = 0; i < c.n; i++)
		whole = whole && a.n[i] * sum == total * count_at(perf, i) &&
		    curve_time(&c.node[i].curve, a.n[i]) == a.proof.makespan;
	CHECK(whole == json_is_true(expect("loose")));
	CHECK(a.proof.optimal && a.proof.unique == whole);
	answer_fini(&a);
	cluster_fini(&c);
	cost_fini(&cost);
}

static double
table_time(const void *context, size_t i, uint64_t x)
{
	const json_t *t = json_array_get(context, i);
	const json_t *v = json_array_get(t, (size_t)x);

	return json_is_number(v) ? json_number_value(v) : INFINITY;
}

static void
dynamic_program(void)
{
	uint64_t total = (uint64_t)number(in("N")), n[8], sum = 0;
	uint64_t block = in("K") != NULL ? (uint64_t)number(in("K")) : 1;
	size_t p = json_array_size(in("tables"));
	struct hp_err e = { 0 };
	double T, latest = 0;

	CHECK(dp_divide(table_time, in("tables"), p, total, block, n, &T, &e) ==
	    0);
	for (size_t i = 0; i < p; i++) {
		sum += n[i];
		latest = fmax(latest, table_time(in("tables"), i, n[i]));
	}
	CHECK_EQ_U64(sum, total);
	CHECK(latest == T);
	CHECK_NEAR(T, number(expect("T_float")), 1e-9);
}

static const struct {
	const char *method;
	void (*run)(void);
} kinds[] = {
	{ "bounds", bounds },
	{ "certify", certify },
	{ "dp", dynamic_program },
	{ "dp_sampled", dynamic_program },
	{ "exact", exact },
	{ "exact_printed_rule", printed_rule },
	{ "fpm", fpm },
	{ "lambert", lambert },
	{ "lambert_asym", lambert_asymptotic },
	{ "lambert_partition", lambert_partition },
	{ "learned", learned },
	{ "lpt", largest_first },
	{ "perfect_case", perfect_case },
	{ "proportional", proportional },
	{ "taylor", taylor },
};

static void
of_an_unknown_kind(void)
{
	CHECK(!"no test for its method");
}

static void
run(json_t *v)
{
	const char *method = json_string_value(json_object_get(v, "method"));
	const char *id = json_string_value(json_object_get(v, "id"));

	void (*test_of_kind)(void) = of_an_unknown_kind;

	vector = v;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(kinds[i].method, method) == 0)
			test_of_kind = kinds[i].run;
	test_run(id, test_of_kind);
	if (json_is_array(expect("n_real")) && in("b") != NULL)
		test_run(id, power_real);
}

/* Returns by how many per cent the makespan of real shares exceeds that of the
 * best integer shares. */
static double
over(const double *k, const double *x, size_t p, double T)
{
	double latest = 0;

	for (size_t i = 0; i < p; i++)
		latest = fmax(latest, x[i] * log(x[i]) / k[i]);
	return 100 * (latest / T - 1);
}

static double
optimum(const double *k, size_t p, double N)
{
	struct cost cost = { 0 };
	struct cluster c = { 0 };
	struct hp_err e = { 0 };
	double T;

	CHECK(cost_parse(COST_DEFAULT, &cost, &e) == 0);
	for (size_t i = 0; i < p; i++) {
		struct node node = { 0 };

		curve_init(&node.curve);
		CHECK(asprintf(&node.name, "n%zu", i) > 0);
		node.curve.speed = k[i];
		CHECK(cluster_add(&c, &node, &e) == 0);
	}
	cluster_set_cost(&c, &cost);
	CHECK(
	    share_bound(&(struct problem){ &c, (uint64_t)N, 0 }, &T, &e) == 0);
	cluster_fini(&c);
	cost_fini(&cost);
	return T;
}

/* Formats a line of the table in hpsolve(1), for real shares. */
static void
table_line(const double *k, size_t p, double N, char *line, size_t size)
{
	double x[8], by[5], T = optimum(k, p, N);

	closed_proportional(k, p, N, x);
	by[0] = over(k, x, p, T);
	closed_taylor(k, p, N, x);
	by[1] = over(k, x, p, T);
	closed_newton(k, p, N, x);
	by[4] = over(k, x, p, T);
	closed_asymptotic(k, p, N, true, x);
	by[2] = over(k, x, p, T);
	closed_asymptotic(k, p, N, false, x);
	by[3] = over(k, x, p, T);
	snprintf(line, size,
	    by[0] < 1 ? "%8.3f %% %7.3f %% %7.3f %% %6.2f %% %9.3f %%\n"
		      : "%8.2f %% %7.3f %% %7.3f %% %6.2f %% %9.3f %%\n",
	    by[0], by[1], by[4], by[2], by[3]);
}

static void
the_table_in_the_manual(void)
{
	static const struct {
		const char *text;
		double k[4];
		size_t p;
		double N;
	} lines[] = { { "1,6      10k ", { 1, 6 }, 2, 1e4 },
		{ "1,6      1G  ", { 1, 6 }, 2, 1e9 },
		{ "8,5,3,1  10k ", { 8, 5, 3, 1 }, 4, 1e4 },
		{ "8,5,3,1  1M  ", { 8, 5, 3, 1 }, 4, 1e6 },
		{ "1,1000   1M  ", { 1, 1000 }, 2, 1e6 } };
	const char *top = getenv("TOP");
	char path[4096], want[200], figures[150], *manual = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/man/hpsolve.1", top ? top : ".");
	REQUIRE((f = fopen(path, "r")) != NULL);
	CHECK(getdelim(&manual, &size, EOF, f) > 0);
	fclose(f);
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		table_line(lines[i].k, lines[i].p, lines[i].N, figures,
		    sizeof figures);
		snprintf(want, sizeof want, "%s%s", lines[i].text, figures);
		if (strstr(manual, want) == NULL)
			test_bad(__FILE__, __LINE__, "not in it: %s", want);
	}
	free(manual);
}

int
main(void)
{
	const char *top = getenv("TOP");
	char path[4096];
	json_error_t je;
	json_t *all, *v;
	size_t i;

	snprintf(path, sizeof path, "%s/examples/vectors.json",
	    top != NULL ? top : ".");
	if ((all = json_load_file(path, 0, &je)) == NULL) {
		printf("Bail out! %s: %s\n", path, je.text);
		return 1;
	}
	if (json_array_size(json_object_get(all, "vectors")) < 71) {
		printf("Bail out! %s: vectors are missing\n", path);
		return 1;
	}
	json_array_foreach(json_object_get(all, "vectors"), i, v) run(v);
	json_decref(all);
	RUN(the_table_in_the_manual);
	return test_done();
}

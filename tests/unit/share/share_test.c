/* Clusters, methods and plans: what they reject, and small cases computed by
 * hand. */

#include "doc/nodes.h"
#include "share/answer.h"
#include "share/learn.h"
#include "share/pareto.h"
#include "test.h"

#define NODE(name, rest) "{\"type\":\"node\",\"node\":\"" name "\"" rest "}\n"
#define AT(n, s) "{\"n\":" #n ",\"seconds\":" #s "}"
#define POINTS(list) ",\"points\":[" list "]"

/* A cluster made of these lines, with this cost. */
struct lab {
	struct cluster c;
	struct cost cost;
};

static void
lab_init(struct lab *l, const char *lines, const char *cost)
{
	struct hp_err e = { 0 };

	*l = (struct lab){ 0 };
	if (doc_cluster_parse(lines, &l->c, &e) == -1 ||
	    cost_parse(cost, &l->cost, &e) == -1) {
		test_bad(__FILE__, __LINE__, "%s", e.text);
		exit(test_done());
	}
	cluster_set_cost(&l->c, &l->cost);
}

static void
lab_fini(struct lab *l)
{
	cluster_fini(&l->c);
	cost_fini(&l->cost);
}

/* Solves, and checks that it fails with a message that contains this text. */
static void
refuses(const char *lines, const char *cost, enum method m, uint64_t total,
    uint64_t block, enum hp_kind kind, const char *text)
{
	struct lab l;
	struct answer a;
	struct hp_err e = { 0 };

	lab_init(&l, lines, cost);
	if (share_solve(&(struct problem){ &l.c, total, block }, m, &a, &e) ==
	    0) {
		test_bad(__FILE__, __LINE__, "solved: %s", text);
		answer_fini(&a);
	} else if (e.kind != kind || strstr(e.text, text) == NULL)
		test_bad(__FILE__, __LINE__, "kind %d, %s: expected %s",
		    (int)e.kind, e.text, text);
	lab_fini(&l);
}

static void
methods_refuse_what_they_lack(void)
{
	static const char *const speeds = NODE("a", ",\"speed\":2")
	    NODE("b", ",\"speed\":1,\"capacity\":5");
	static const char *const mixed = NODE("a", POINTS(AT(9, 2)))
	    NODE("b", ",\"speed\":1");
	static const char *const falls = NODE(
	    "a", POINTS(AT(9, 2) "," AT(10, 1))) NODE("b", ",\"speed\":1");
	static const char *const bare = NODE("a", ",\"speed\":1") NODE("b", "");
	static const char *const full = NODE("a", ",\"capacity\":3")
	    NODE("b", ",\"capacity\":4");
	static const enum method by_speed[] = { METHOD_POWER, METHOD_TAYLOR,
		METHOD_ASYMPTOTIC, METHOD_ASYMPTOTIC_PRINTED, METHOD_NLOGN };

	for (size_t i = 0; i < sizeof by_speed / sizeof *by_speed; i++)
		refuses(mixed, i == 0 ? "n^2" : "n*log(n)", by_speed[i], 8, 0,
		    HP_USAGE, "node 'a' has no speed");
	refuses(speeds, "n", METHOD_NLOGN, 8, 0, HP_USAGE,
	    "method nlogn: the method is for the cost n*log(n), not for n");
	refuses(speeds, "n*log(n)", METHOD_POWER, 8, 0, HP_USAGE,
	    "is for the cost n^b");
	refuses(mixed, "n", METHOD_FPM, 8, 0, HP_USAGE,
	    "method fpm: the method needs points, and node 'b' has none");
	refuses(falls, "n", METHOD_EXACT, 8, 0, HP_USAGE,
	    "node 'a' needs less time at points[1] than at points[0]");
	refuses(speeds, "n", METHOD_LEARNED, 8, 0, HP_USAGE,
	    "no node has points to learn from");
	refuses(speeds, "n", METHOD_DP, 1000000000, 1, HP_USAGE,
	    "1000000000 items in blocks of 1 are too many for the table");
	refuses(bare, "n", METHOD_AUTO, 8, 0, HP_INPUT,
	    "node 'b' has neither speed nor points");
	refuses(full, "n", METHOD_AUTO, 8, 0, HP_NOSHARE,
	    "8 items: the nodes together can take 7");
}

static void
plans_that_do_not_fit_are_refused(void)
{
	static const struct {
		uint64_t n[3];
		size_t nodes;
		const char *text;
	} plans[] = { { { 4, 3 }, 2, NULL },
		{ { 7 }, 1, "the plan is for 1 nodes, not 2" },
		{ { 4, 3, 0 }, 3, "the plan is for 3 nodes, not 2" },
		{ { 4, 4 }, 2, "the plan is for 8 items, not 7" },
		{ { 2, 5 }, 2, "node 'b' gets 5 items and can take 4" },
		{ { 3, 4 }, 2, NULL } };
	struct lab l;

	lab_init(&l,
	    NODE("a", ",\"speed\":1") NODE("b", ",\"capacity\":4,\"speed\":1"),
	    "n");
	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
		const struct problem p = { &l.c, 7, 0 };
		struct plan plan = { 0 };
		struct hp_err e = { 0 };
		struct answer a;
		int rc;

		for (size_t j = 0; j < plans[i].nodes; j++)
			CHECK(plan_add(&plan, strdup("x"), plans[i].n[j], 0,
				  &e) == 0);
		rc = share_check(&p, &plan, &a, &e);
		CHECK_EQ_I64(rc, plans[i].text == NULL ? 0 : -1);
		if (rc == 0) {
			CHECK(a.proof.optimal && !a.proof.unique);
			answer_fini(&a);
		} else {
			CHECK(e.kind == HP_NO);
			CHECK_EQ_STR(e.text, plans[i].text);
		}
		plan_fini(&plan);
	}
	lab_fini(&l);
}

static void
nodes_are_found_by_name_and_rank(void)
{
	static const struct {
		const char *which;
		int rank; /* -1: there is no such node */
		const char *text;
	} found[] = { { "a", 0, "" }, { "b", 1, "" }, { "0", 0, "" },
		{ "1", 1, "" }, { "01", 1, "" },
		{ "2", -1, "rank 2: must be 0 to 1" },
		{ "18446744073709551617", -1, "must be 0 to 1" },
		{ "", -1, "no node is named ''" },
		{ "c", -1, "no node is named 'c'" },
		{ "1x", -1, "no node is named '1x'" } };
	struct cluster none = { 0 };
	struct lab l;
	size_t rank;

	lab_init(&l, NODE("a", "") NODE("b", ""), "n");
	for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
		struct hp_err e = { 0 };
		int rc = cluster_find(&l.c, found[i].which, &rank, &e);

		CHECK_EQ_I64(rc == 0 ? (int)rank : -1, found[i].rank);
		CHECK(rc == 0 || e.kind == HP_USAGE);
		CHECK(strstr(e.text, found[i].text) != NULL);
	}
	CHECK(cluster_named(&none, "a", &rank) == -1);
	lab_fini(&l);
}

/* So many nodes that the hash table grows several times. */
static void
many_nodes_are_found_and_none_twice(void)
{
	struct cluster c = { 0 };
	struct hp_err e = { 0 };
	char name[16];
	size_t rank;

	for (unsigned i = 0; i < 300; i++) {
		struct node node = { 0 };

		snprintf(name, sizeof name, "n%u", i);
		node.name = strdup(name);
		CHECK(cluster_named(&c, name, &rank) == -1);
		CHECK(cluster_add(&c, &node, &e) == 0);
		CHECK(node.name == NULL);
	}
	for (unsigned i = 0; i < 300; i++) {
		struct node node = { 0 };

		snprintf(name, sizeof name, "n%u", i);
		CHECK(cluster_named(&c, name, &rank) == 0 && rank == i);
		node.name = strdup(name);
		CHECK(cluster_add(&c, &node, &e) == -1 && e.kind == HP_INPUT);
		node_fini(&node);
	}
	CHECK_EQ_STR(e.text, "node 'n299' appears twice, as ranks 299 and 300");
	cluster_fini(&c);
}

static void
methods_have_names(void)
{
	struct hp_err e = { 0 };
	enum method m;

	for (int i = 0; i < METHODS; i++)
		CHECK(method_parse(method_name((enum method)i), &m, &e) == 0 &&
		    m == (enum method)i);
	CHECK(method_parse("exac", &m, &e) == -1 && e.kind == HP_USAGE);
	CHECK_EQ_STR(e.text,
	    "method 'exac': must be one of auto equal proportional taylor "
	    "newton power nlogn asymptotic asymptotic-printed exact fpm dp "
	    "learned "
	    "stages");
}

/* Checks that no node finishes later than another node would with one more
 * item. */
static void
check_proportional(const struct answer *a, const double *k, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			CHECK((double)a->n[i] / k[i] <=
			    (double)(a->n[j] + 1) / k[j] * (1 + 1e-9));
}

static void
proportional_shares_by_speeds_and_by_points(void)
{
	for (int i = 0; i < 200; i++) {
		size_t n = 2 + test_below(4), len = 0;
		bool points = test_below(2) == 0;
		uint64_t total = n * (2 + test_below(40)), sum = 0;
		char lines[1000];
		struct lab l;
		struct answer a;
		struct hp_err e = { 0 };
		double k[6];

		for (size_t j = 0; j < n; j++) {
			k[j] = (double)(1 + test_below(9));
			len += (size_t)snprintf(lines + len, sizeof lines - len,
			    points
				? NODE("n%zu",
				      POINTS("{\"n\":1000,\"seconds\":%.17g}"))
				: NODE("n%zu", ",\"speed\":%g"),
			    j, points ? 1000 / k[j] : k[j]);
		}
		lab_init(&l, lines, "n");
		REQUIRE(share_solve(&(struct problem){ &l.c, total, 0 },
			    METHOD_PROPORTIONAL, &a, &e) == 0);
		for (size_t j = 0; j < n; j++)
			sum += a.n[j];
		CHECK_EQ_U64(sum, total);
		check_proportional(&a, k, n);
		answer_fini(&a);
		lab_fini(&l);
	}
}

/* Returns the first node's share of two shares by a formula. */
static uint64_t
first_of_two(const char *lines, enum method m, uint64_t total, size_t *clamped)
{
	struct lab l;
	struct answer a;
	struct hp_err e = { 0 };
	uint64_t first;

	lab_init(&l, lines, "n*log(n)");
	if (share_solve(&(struct problem){ &l.c, total, 0 }, m, &a, &e) == -1) {
		test_bad(__FILE__, __LINE__, "%s", e.text);
		lab_fini(&l);
		return UINT64_MAX;
	}
	CHECK_EQ_U64(a.n[0] + a.n[1], total);
	first = a.n[0];
	*clamped = a.clamped;
	answer_fini(&a);
	lab_fini(&l);
	return first;
}

static void
formulas_that_fail_are_mended(void)
{
	static const char *const uneven = NODE("a", ",\"speed\":1")
	    NODE("b", ",\"speed\":1000");
	static const char *const small = NODE("a", ",\"speed\":1")
	    NODE("b", ",\"speed\":3,\"capacity\":2");
	size_t clamped;

	/* For one item the formula would divide by ln 1 = 0. */
	CHECK(first_of_two(uneven, METHOD_TAYLOR, 1, &clamped) <= 1);
	CHECK(first_of_two(uneven, METHOD_TAYLOR, 0, &clamped) == 0);
	CHECK_EQ_U64(first_of_two(small, METHOD_TAYLOR, 1000, &clamped), 998);
	CHECK_EQ_U64(clamped, 0);
	CHECK_EQ_U64(first_of_two(small, METHOD_EQUAL, 1000, &clamped), 998);
	CHECK_EQ_U64(first_of_two(small, METHOD_EQUAL, 3, &clamped), 2);
}

/*
 * The share of the fast node is N k/K (1 - ln(100)/2 / ln N), which is negative
 * for 5 items.
 */
/* Taylor's formula needs ln N > 0, so it serves from 2 items on. */
static void
two_items_follow_the_formula(void)
{
	struct lab l;
	struct answer a;
	struct hp_err e = { 0 };

	lab_init(&l,
	    NODE("a", ",\"speed\":1") NODE("b", ",\"speed\":1")
		NODE("c", ",\"speed\":100"),
	    "n*log(n)");
	REQUIRE(share_solve(&(struct problem){ &l.c, 2, 0 }, METHOD_TAYLOR, &a,
		    &e) == 0);
	/*
	 * The formula gives 0.2, 0.2 and 1.8 items; rounding down leaves one
	 * item.
	 */
	CHECK(a.n[0] == 1 && a.n[1] == 0 && a.n[2] == 1);
	answer_fini(&a);
	lab_fini(&l);
}

static void
a_negative_share_becomes_0(void)
{
	enum {
		SLOW = 100
	};
	char lines[SLOW * 48] = NODE("fast", ",\"speed\":100");
	struct lab l;
	struct answer a;
	struct hp_err e = { 0 };
	uint64_t sum = 0;

	for (int i = 0; i < SLOW; i++) {
		size_t len = strlen(lines);

		snprintf(lines + len, sizeof lines - len,
		    NODE("n%d", ",\"speed\":1"), i);
	}
	lab_init(&l, lines, "n*log(n)");
	REQUIRE(share_solve(&(struct problem){ &l.c, 5, 0 }, METHOD_TAYLOR, &a,
		    &e) == 0);
	CHECK_EQ_U64(a.clamped, 1);
	for (int i = 0; i < 1 + SLOW; i++)
		sum += a.n[i];
	CHECK_EQ_U64(sum, 5);
	answer_fini(&a);
	/* For 1000 items the fast node's share is positive. */
	REQUIRE(share_solve(&(struct problem){ &l.c, 1000, 0 }, METHOD_TAYLOR,
		    &a, &e) == 0);
	CHECK(a.clamped == 0 && a.n[0] > 0);
	answer_fini(&a);
	lab_fini(&l);
}

static void
speeds_are_learned_at_a_common_size(void)
{
	struct lab l;
	struct cost learned = { 0 };
	struct hp_err e = { 0 };
	double k[3];

	lab_init(&l,
	    NODE("a", POINTS(AT(100, 1) "," AT(200, 4)))
		NODE("b", POINTS(AT(100, 2))) NODE("c", ""),
	    "n");
	REQUIRE(learn_cost(&l.c, MERGE_MEAN, k, &learned, &e) == 0);
	CHECK_NEAR(k[0], 1, 1e-12);
	CHECK_NEAR(k[1], 0.5, 1e-12);
	CHECK_NEAR(k[2], 0.75, 1e-12);
	/* Multiplied by their speeds, the times of both nodes are the same. */
	CHECK_NEAR(cost_at(&learned, 100), 1, 1e-12);
	CHECK_NEAR(cost_at(&learned, 200), 4, 1e-12);
	cost_fini(&learned);
	lab_fini(&l);
	/* A given speed is used, and a missing speed is 1. */
	lab_init(&l,
	    NODE("a", ",\"speed\":4" POINTS(AT(100, 1)))
		NODE("b", POINTS(AT(100, 2))),
	    "n");
	REQUIRE(learn_cost(&l.c, MERGE_MEAN, k, &learned, &e) == 0);
	CHECK(k[0] == 4 && k[1] == 1);
	CHECK_NEAR(cost_at(&learned, 100), 3, 1e-12);
	cost_fini(&learned);
	lab_fini(&l);
}

static void
a_learned_cost_is_the_model_of_all_nodes(void)
{
	struct lab l;
	struct cost learned = { 0 };
	struct hp_err e = { 0 };

	lab_init(&l,
	    NODE("a", ",\"beyond\":\"stop\"" POINTS(AT(100, 1) "," AT(200, 4)))
		NODE("b", POINTS(AT(100, 2))) NODE("c", ""),
	    "n");
	REQUIRE(cluster_learn(&l.c, MERGE_MEAN, &learned, &e) == 0);
	for (size_t i = 0; i < 3; i++)
		CHECK(l.c.node[i].curve.point == NULL &&
		    l.c.node[i].curve.cost == &learned);
	/*
	 * Capacities and measured ranges that followed from the points remain.
	 */
	CHECK_EQ_U64(l.c.node[0].curve.capacity, 200);
	CHECK(l.c.node[0].curve.measured == 200);
	CHECK(l.c.node[1].curve.measured == 100);
	CHECK(l.c.node[2].curve.measured == 200);
	CHECK_NEAR(curve_time(&l.c.node[1].curve, 100), 2, 1e-12);
	cluster_fini(&l.c);
	cost_fini(&learned);
	cost_fini(&l.cost);
}

#define AT_W(w, rest) ",\"params\":{\"w\":" #w rest "}"

/*
 * Fixes the parameter w, and makes the one remaining section the curve of its
 * node.
 */
static int
cut(struct cluster *c, const char *lines, double w, struct hp_err *e)
{
	*e = (struct hp_err){ 0 };
	if (doc_cluster_parse(lines, c, e) == -1)
		return -1;
	if (cluster_cut(c, "w", w, e) == 0 && cluster_flat(c, e) == 0)
		return 0;
	cluster_fini(c);
	return -1;
}

static void
a_parameter_is_fixed_between_its_neighbours(void)
{
	static const char *const lines = NODE(
	    "a", AT_W(1, "") ",\"capacity\":300" POINTS(AT(100, 1)))
	    NODE("a", AT_W(2, "") ",\"capacity\":200" POINTS(AT(100, 2)))
		NODE("a", AT_W(4, "") POINTS(AT(100, 4)))
		    NODE("b", ",\"speed\":1");
	static const struct {
		double w, seconds;
		uint64_t capacity;
	} at[] = { { 1, 1, 300 }, { 1.5, 100 / 75.0, 200 }, { 2, 2, 200 },
		{ 3, 100 / 37.5, 200 }, { 4, 4, CURVE_MOST } };
	struct cluster c;
	struct hp_err e;

	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		REQUIRE(cut(&c, lines, at[i].w, &e) == 0);
		CHECK_NEAR(
		    curve_time(&c.node[0].curve, 100), at[i].seconds, 1e-12);
		CHECK_EQ_U64(c.node[0].curve.capacity, at[i].capacity);
		CHECK(c.node[0].surface.n == 0);
		cluster_fini(&c);
	}
	CHECK(cut(&c, lines, 0.5, &e) == -1 && e.kind == HP_USAGE);
	CHECK_EQ_STR(
	    e.text, "node 'a': w = 0.5: must be in the measured range, 1 to 4");
	CHECK(cut(&c, lines, 4.5, &e) == -1);
}

/* With beyond "stop", the section ends where the shorter of the two ends. */
static void
sections_end_with_the_shorter_one(void)
{
	static const struct {
		const char *beyond;
		uint64_t limit;
		size_t points;
	} ends[] = { { "stop", 100, 2 }, { "const", CURVE_MOST, 3 } };

	for (size_t i = 0; i < 2; i++)
		for (int first = 0; first < 2; first++) {
			char lines[400];
			struct cluster c;
			struct hp_err e;

			snprintf(lines, sizeof lines,
			    NODE("a",
				",\"beyond\":\"%s\"" AT_W(% d, "")
				    POINTS(AT(50, 1) "," AT(100, 2))) NODE("a",
				",\"beyond\":\"%s\"" AT_W(% d, "")
				    POINTS(AT(50, 1) "," AT(200, 4))),
			    ends[i].beyond, 1 + first, ends[i].beyond,
			    2 - first);
			REQUIRE(cut(&c, lines, 1.5, &e) == 0);
			CHECK_EQ_U64(
			    curve_limit(&c.node[0].curve), ends[i].limit);
			CHECK_EQ_U64(c.node[0].curve.npoints, ends[i].points);
			CHECK_NEAR(curve_time(&c.node[0].curve, 100), 2, 1e-12);
			cluster_fini(&c);
		}
}

static void
parameters_that_are_not_fixed_are_named(void)
{
	static const char *const two = NODE(
	    "a", AT_W(1, ",\"x\":1") POINTS(AT(100, 1)))
	    NODE("a", AT_W(1, ",\"x\":2") POINTS(AT(100, 2)));
	static const char *const partly = NODE(
	    "a", AT_W(1, "") POINTS(AT(100, 1)))
	    NODE("a", ",\"params\":{\"x\":1}" POINTS(AT(100, 2)));
	static const char *const later = NODE(
	    "a", ",\"params\":{\"x\":1}" POINTS(AT(100, 2)))
	    NODE("a", AT_W(1, "") POINTS(AT(100, 1)));
	struct cluster c;
	struct hp_err e = { 0 };

	CHECK(cut(&c, two, 1, &e) == -1 && e.kind == HP_INPUT);
	CHECK_EQ_STR(e.text,
	    "node 'a' was measured at several values of 'x': say at which, "
	    "--at x=VALUE");
	CHECK(cut(&c, partly, 1, &e) == -1 && e.kind == HP_USAGE);
	CHECK_EQ_STR(e.text,
	    "node 'a': some points were measured without a value of 'w'");
	CHECK(cut(&c, later, 1, &e) == -1 && e.kind == HP_USAGE);
	CHECK_EQ_STR(e.text,
	    "node 'a': some points were measured without a value of 'w'");
	CHECK(cut(&c, NODE("a", ",\"speed\":1"), 1, &e) == -1);
	CHECK(e.kind == HP_USAGE);
	CHECK_EQ_STR(e.text, "no node has a parameter 'w'");
	/* A parameter with the same value everywhere need not be fixed. */
	REQUIRE(doc_cluster_parse(
		    NODE("a", AT_W(1, ",\"x\":3") POINTS(AT(100, 1)))
			NODE("a", AT_W(2, ",\"x\":3") POINTS(AT(100, 3))),
		    &c, &e) == 0);
	CHECK(cluster_cut(&c, "w", 2, &e) == 0 && cluster_flat(&c, &e) == 0);
	CHECK_NEAR(curve_time(&c.node[0].curve, 100), 3, 1e-12);
	cluster_fini(&c);
}

/* The error names the first node without a power, wherever it is. */
static void
a_front_needs_the_power_of_every_node(void)
{
#define POWER ",\"speed\":2,\"power_w\":{\"idle\":1,\"busy\":5}"
	static const char *const lines[] = { NODE("a", POWER) NODE("b", POWER)
						 NODE("c", ",\"speed\":1"),
		NODE("c", ",\"speed\":1") NODE("a", POWER),
		NODE("a", POWER) NODE("c", ",\"speed\":1") NODE("b", POWER) };

	for (size_t i = 0; i < 3; i++) {
		struct pareto front = { 0 };
		struct hp_err e = { 0 };
		struct lab l;
		struct problem p;

		lab_init(&l, lines[i], "n");
		p = (struct problem){ .cluster = &l.c, .total = 9 };
		CHECK_EQ_I64(share_pareto(&p, &front, &e), -1);
		CHECK_EQ_STR(e.text, "--pareto: node 'c' has no 'power_w'");
		pareto_fini(&front);
		lab_fini(&l);
	}
}

int
main(void)
{
	RUN(methods_refuse_what_they_lack);
	RUN(plans_that_do_not_fit_are_refused);
	RUN(nodes_are_found_by_name_and_rank);
	RUN(many_nodes_are_found_and_none_twice);
	RUN(methods_have_names);
	RUN(proportional_shares_by_speeds_and_by_points);
	RUN(formulas_that_fail_are_mended);
	RUN(two_items_follow_the_formula);
	RUN(a_negative_share_becomes_0);
	RUN(speeds_are_learned_at_a_common_size);
	RUN(a_learned_cost_is_the_model_of_all_nodes);
	RUN(a_parameter_is_fixed_between_its_neighbours);
	RUN(sections_end_with_the_shorter_one);
	RUN(parameters_that_are_not_fixed_are_named);
	RUN(a_front_needs_the_power_of_every_node);
	return test_done();
}

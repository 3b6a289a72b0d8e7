#include <sys/resource.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <err.h>

#include "base/size.h"
#include "cmd.h"
#include "costs.h"
#include "doc/cluster.h"
#include "doc/plan.h"
#include "share/answer.h"
#include "share/learn.h"

enum {
	SETTINGS = 16
};

/* --at NAME=VALUE. */
struct at {
	const char *name; /* len bytes of it */
	size_t len;
	double value;
};

struct opts {
	bool counted;
	uint64_t n;
	const char *cost;
	const char *speeds; /* or NULL: by the cluster */
	const char *cluster;
	enum method method;
	struct at at[SETTINGS];
	size_t nat;
	uint64_t block;	   /* of the dynamic program, or 0 */
	const char *check; /* a plan, or NULL */
	bool compare;
	bool stats;
	bool bounded; /* --beyond: in place of what the nodes say */
	enum beyond beyond;
};

static int
set_n(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	o->counted = true;
	return set_count(&o->n, letter, arg, e);
}

static int
set_method(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return method_parse(arg, to, e);
}

/* Numbers with commas between them. */
static int
set_speeds(void *to, int letter, const char *arg, struct hp_err *e)
{
	char *copy = strdup(arg), *rest = copy, *item;
	int rc = copy == NULL ? hp_fail(e, HP_NOMEM, "speeds") : 0;
	double speed;

	while (rc == 0 && (item = strsep(&rest, ",")) != NULL)
		rc = positive_parse(item, &speed, "speed", e);
	free(copy);
	return rc == 0 ? set_text(to, letter, arg, e) : -1;
}

/* NAME=VALUE. */
static int
set_at(void *to, int letter, const char *arg, struct hp_err *e)
{
	const char *value = strchr(arg, '=');
	struct opts *o = to;
	char *end;
	double x;

	(void)letter;
	if (o->nat == SETTINGS)
		return hp_fail(
		    e, HP_USAGE, "'%.64s': at most %d times", arg, SETTINGS);
	if (value == NULL || value == arg)
		return hp_fail(e, HP_USAGE, "'%.64s': must be NAME=VALUE", arg);
	x = strtod(value + 1, &end);
	if (end == value + 1 || *end != '\0' || !isfinite(x))
		return hp_fail(e, HP_USAGE, "'%.64s': not a number", arg);
	o->at[o->nat++] = (struct at){ arg, (size_t)(value - arg), x };
	return 0;
}

static int
set_beyond(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter;
	o->bounded = true;
	if (beyond_parse(arg, &o->beyond) == -1)
		return hp_fail(
		    e, HP_USAGE, "'%.64s': must be const, linear or stop", arg);
	return 0;
}

/* clang-format off */
enum {
	SOLVE = 1 << 0, /* the forms of the synopsis */
	CHECK = 1 << 1
};
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'c', "cost", "COST", "what n items cost; by default n*log(n)",
	    set_cost, TO(cost) },
	{ 'k', "speeds", "K1[,K2]...", "the speeds of the nodes",
	    set_speeds, TO(speeds) },
	{ 'm', "method", "METHOD", "how to choose the shares; auto by default",
	    set_method, TO(method), .forms = SOLVE },
	{ 'n', NULL, "N", "the number of items, as 10M", set_n },
	{ 0, "at", "NAME=VALUE", "a parameter of the work has this value",
	    set_at, .many = true },
	{ 0, "beyond", "const|linear|stop", "speed above the measured sizes",
	    set_beyond },
	{ 0, "block", "B", "for dp: shares are multiples of B",
	    set_above_0, TO(block), .forms = SOLVE },
	{ 0, "check", "PLAN", "certify the shares of PLAN",
	    set_text, TO(check), .forms = CHECK },
	{ 0, "compare", NULL, "print a line for each method, not a plan",
	    set_flag, TO(compare), .forms = SOLVE },
	{ 0, "stats", NULL, "print times and memory on standard error",
	    set_flag, TO(stats), .forms = SOLVE },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = { { own }, { 0 } };
static const struct cmd_form forms[] = {
	{ "-n N", "[-k K1[,K2]... | CLUSTER]" },
	{ "[-n N] --check PLAN", "[-k K1[,K2]... | CLUSTER]" },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, parts, "" };

static void
parse(struct opts *o, int argc, char *argv[])
{
	struct hp_err e = { 0 };
	int first;

	*o = (struct opts){ .cost = COST_DEFAULT };
	first = cmd_parse(&syntax, o, argc, argv);
	if (o->block > 0 && o->method != METHOD_DP && !o->compare) {
		hp_fail(&e, HP_USAGE, "--block: blocks are for the method dp");
		cmd_bad(&e);
	}
	if (!o->counted && o->check == NULL)
		cmd_misuse(&syntax, "-n, the number of items, is missing");
	if (o->compare && o->check != NULL)
		cmd_misuse(&syntax, "--check and --compare do not go together");
	if (first < argc && o->speeds != NULL)
		cmd_misuse(&syntax, "'%s': the nodes are those of -k already",
		    argv[first]);
	if (first + 1 < argc)
		cmd_misuse(&syntax, "extra operand '%s'", argv[first + 1]);
	o->cluster = first < argc ? argv[first] : "-";
	if (first == argc && o->speeds == NULL)
		cmd_reads_terminal();
}

/* One node for each number of the list: node0, node1, ... */
static int
by_speeds(const char *list, struct cluster *c, struct hp_err *e)
{
	char *copy = strdup(list), *rest = copy, *item;
	int rc = copy == NULL ? hp_fail(e, HP_NOMEM, "speeds") : 0;

	while (rc == 0 && (item = strsep(&rest, ",")) != NULL) {
		struct node node = { 0 };

		curve_init(&node.curve);
		if (positive_parse(item, &node.curve.speed, "speed", e) == -1)
			rc = -1;
		else if (asprintf(&node.name, "node%zu", c->n) == -1)
			rc = hp_fail(e, HP_NOMEM, "speeds");
		else
			rc = cluster_add(c, &node, e);
		node_fini(&node);
	}
	free(copy);
	return rc;
}

static int
cut_at(const struct at *at, struct cluster *c, struct hp_err *e)
{
	char *name = strndup(at->name, at->len);
	int rc;

	if (name == NULL)
		return hp_fail(e, HP_NOMEM, "--at");
	rc = cluster_cut(c, name, at->value, e);
	free(name);
	return rc;
}

/* What the command line says about all nodes alike. */
static int
set_models(const struct opts *o, struct cost *cost, struct cluster *c,
    struct hp_err *e)
{
	for (size_t i = 0; o->bounded && i < c->n; i++)
		c->node[i].curve.beyond = o->beyond;
	for (size_t i = 0; i < o->nat; i++)
		if (cut_at(&o->at[i], c, e) == -1)
			return -1;
	if (cluster_flat(c, e) == -1)
		return -1;
	if (o->method == METHOD_LEARNED)
		return cluster_learn(c, MERGE_MEAN, cost, e);
	if (cost_parse(o->cost, cost, e) == -1)
		return -1;
	cluster_set_cost(c, cost);
	return 0;
}

/* The shares as a plan on standard output. */
static int
write_plan(const struct problem *problem, const struct answer *a,
    const char *method, struct hp_err *e)
{
	const struct cluster *c = problem->cluster;
	struct share share = { 0 };
	struct plan p = { 0 };
	int rc = 0;

	for (size_t i = 0; i < c->n && rc == 0; i++) {
		answer_share(c, a, i, &share);
		rc = doc_share_write(stdout, i, &share, e);
	}
	if (rc == 0 && (rc = answer_plan(c, a, method, &p, e)) == 0)
		rc = doc_plan_write(stdout, &p, e);
	plan_fini(&p);
	return rc;
}

/* Seconds of the processor: what else runs here does not count. */
static double
processor_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Where the time went, for people and for the bench. */
static void
tell_stats(double begin_s, double read_s, double solved_s)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	fprintf(stderr,
	    "read %.5f s, solve %.5f s, write %.5f s, peak memory %ld KiB\n",
	    read_s - begin_s, solved_s - read_s, processor_s() - solved_s,
	    used.ru_maxrss);
}

/* What a plan for such a cost is worth. */
static void
tell_unproven(const struct problem *problem)
{
	warnx("cost '%.200s': not known to rise up to n = %ju: no plan is "
	      "proven optimal",
	    problem->cluster->node[0].curve.cost->text,
	    (uintmax_t)problem->total);
}

static int
solve(const struct opts *o, const struct problem *problem, double begin_s,
    struct hp_err *e)
{
	struct answer a = { 0 };
	double read_s = processor_s(), solved_s;
	int rc = share_solve(problem, o->method, &a, e);

	solved_s = processor_s();
	if (rc == 0)
		rc = write_plan(problem, &a, method_name(a.method), e);
	if (rc == 0 && a.clamped > 0)
		warnx("method %s: %zu of the shares %s negative and count%s "
		      "as 0",
		    method_name(a.method), a.clamped,
		    a.clamped == 1 ? "is" : "are", a.clamped == 1 ? "s" : "");
	if (rc == 0 && a.unproven)
		tell_unproven(problem);
	if (rc == 0 && o->stats)
		tell_stats(begin_s, read_s, solved_s);
	answer_fini(&a);
	return rc;
}

/* A line for each method that applies. */
static int
compare(const struct problem *problem, struct hp_err *e)
{
	struct answer best;
	/* What no method can do is no matter of methods. */
	int rc = share_solve(problem, METHOD_AUTO, &best, e);

	if (rc == 0 && best.unproven)
		tell_unproven(problem);
	answer_fini(&best);
	for (int m = METHOD_AUTO + 1; m < METHODS && rc == 0; m++) {
		struct answer a = { 0 };
		struct plan p = { 0 };

		rc = share_solve(problem, (enum method)m, &a, e);
		if (rc == -1 && e->kind == HP_USAGE) {
			*e = (struct hp_err){ 0 };
			rc = 0;
			continue;
		}
		if (rc == 0)
			rc = answer_plan(
			    problem->cluster, &a, method_name(a.method), &p, e);
		if (rc == 0)
			rc = doc_compare_write(stdout, &p, e);
		plan_fini(&p);
		answer_fini(&a);
	}
	return rc;
}

/* What the node that is done last would get in an optimal plan. */
static int
tell_better(
    const struct problem *problem, const struct answer *a, struct hp_err *e)
{
	size_t last = a->proof.last;
	struct answer best = { 0 };
	int rc;

	if (a->proof.makespan <= a->bound)
		return hp_fail(e, HP_NO,
		    "not proven optimal: the cost '%.200s' is not known to "
		    "rise up to n = %ju",
		    problem->cluster->node[0].curve.cost->text,
		    (uintmax_t)problem->total);
	if (share_solve(problem, METHOD_AUTO, &best, e) == -1)
		return -1;
	rc = hp_fail(e, HP_NO,
	    "not optimal: the makespan %.15g is %.3g %% above the least, "
	    "%.15g; node '%s', done last, gets %ju items and should get %ju",
	    a->proof.makespan, 100 * (a->proof.makespan / a->bound - 1),
	    a->bound, problem->cluster->node[last].name, (uintmax_t)a->n[last],
	    (uintmax_t)best.n[last]);
	answer_fini(&best);
	return rc;
}

/* Are the shares those of the cluster's nodes? */
static int
check_names(const struct cluster *c, const struct plan *p, struct hp_err *e)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->node[i].name, p->share[i].node) != 0)
			return hp_fail(e, HP_NO,
			    "the plan has node '%.255s' as rank %zu, not '%s'",
			    p->share[i].node, i, c->node[i].name);
	return 0;
}

static int
check(const struct opts *o, struct problem *problem, struct hp_err *e)
{
	struct plan p = { 0 };
	struct answer a = { 0 };
	int rc = -1;

	if (doc_plan_read(o->check, &p, e) == -1)
		return -1;
	if (!o->counted)
		problem->total = p.n;
	if (share_check(problem, &p, &a, e) == 0 &&
	    (o->speeds != NULL || check_names(problem->cluster, &p, e) == 0) &&
	    write_plan(
		problem, &a, p.method != NULL ? p.method : "unknown", e) == 0)
		rc = a.proof.optimal ? 0 : tell_better(problem, &a, e);
	answer_fini(&a);
	plan_fini(&p);
	return rc;
}

int
main(int argc, char *argv[])
{
	struct opts o;
	struct cluster c = { 0 };
	struct problem problem = { .cluster = &c };
	struct cost cost = { 0 };
	struct hp_err e = { 0 };
	double begin_s = processor_s();
	int rc = -1;

	parse(&o, argc, argv);
	problem.total = o.n;
	problem.block = o.block;
	if ((o.speeds != NULL ? by_speeds(o.speeds, &c, &e)
			      : doc_cluster_read(o.cluster, &c, &e)) == -1 ||
	    set_models(&o, &cost, &c, &e) == -1)
		goto out;
	if (o.check != NULL)
		rc = check(&o, &problem, &e);
	else if (o.compare)
		rc = compare(&problem, &e);
	else
		rc = solve(&o, &problem, begin_s, &e);
out:
	cluster_fini(&c);
	cost_fini(&cost);
	return cmd_finish(rc, &e);
}

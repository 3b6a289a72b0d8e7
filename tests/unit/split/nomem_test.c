/* Plans, costs and splitting report an error if memory is short. */

#include <sys/mman.h>

#include <fcntl.h>
#include <unistd.h>

#include "cost/learned.h"
#include "nomem.h"
#include "share/answer.h"
#include "share/assign.h"
#include "share/learn.h"
#include "share/pareto.h"
#include "split/classify.h"
#include "split/cut.h"
#include "split/exact.h"
#include "split/partition.h"
#include "split/select.h"
#include "split/sorted.h"
#include "split/tally.h"

enum {
	NODES = 3,
	LINES = 400
};

static int
no_memory(struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM, "test");
}

static int
set_points(struct curve *c, const double *seconds)
{
	struct point *p = reallocarray(NULL, 3, sizeof *p);

	if (p == NULL)
		return -1;
	for (size_t i = 0; i < 3; i++)
		p[i] = (struct point){ (double)(100 * (i + 1)), seconds[i] };
	curve_set_points(c, p, 3);
	return 0;
}

/* Makes nodes that take the given seconds for 100, 200 and 300 items. If `all`
 * is false, only the first one has points. */
static int
nodes(struct cluster *c, const double *seconds, bool all, struct hp_err *e)
{
	for (size_t i = 0; i < NODES; i++) {
		struct node node = { 0 };
		int rc = 0;

		curve_init(&node.curve);
		node.curve.speed = (double)(i + 1);
		if (asprintf(&node.name, "n%zu", i) == -1) {
			node.name = NULL;
			rc = no_memory(e);
		} else if (seconds != NULL && (all || i == 0) &&
		    set_points(&node.curve, seconds) == -1)
			rc = no_memory(e);
		else
			rc = cluster_add(c, &node, e);
		node_fini(&node);
		if (rc == -1)
			return -1;
	}
	return 0;
}

static const double rising[] = { 1, 3, 4 }, falling[] = { 4, 1, 6 };

/*
 * Converts an answer to a plan, and checks the shares in the same way as those
 * of a plan from a file.
 */
static int
write_and_check(
    const struct problem *p, const struct answer *a, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	struct plan plan = { 0 }, read = { 0 };
	struct share s = { 0 };
	struct answer again = { 0 };
	int rc = answer_plan(c, a, method_name(a->method), &plan, e);

	nomem.result += plan.method != NULL && plan.cost != NULL;
	for (size_t i = 0; i < c->n && rc == 0; i++) {
		char *name = strdup(c->node[i].name);

		nomem.result += a->n[i];
		answer_share(c, a, i, &s);
		rc = name == NULL ? no_memory(e)
				  : plan_add(&read, name, s.n, s.seconds, e);
		if (rc == -1)
			free(name);
	}
	if (rc == 0)
		rc = share_check(p, &read, &again, e);
	answer_fini(&again);
	plan_fini(&read);
	plan_fini(&plan);
	return rc;
}

static struct {
	const char *cost;
	const double *seconds;
	bool all;
	enum method method;
	uint64_t block;
} now;

static int
solve(struct hp_err *e)
{
	struct cluster c = { 0 };
	struct cost cost = { 0 };
	struct problem p = { &c, 500, now.block };
	struct answer a = { 0 };
	int rc = -1;

	if (nodes(&c, now.seconds, now.all, e) == 0 &&
	    cost_parse(now.cost, &cost, e) == 0) {
		cluster_set_cost(&c, &cost);
		if (share_solve(&p, now.method, &a, e) == 0)
			rc = write_and_check(&p, &a, e);
	}
	answer_fini(&a);
	cluster_fini(&c);
	cost_fini(&cost);
	return rc;
}

/* Finds the front of a small problem with blocks of now.block items. */
static int
find_front(struct hp_err *e)
{
	struct cluster c = { 0 };
	struct cost cost = { 0 };
	struct problem p = { .cluster = &c, .total = 20, .block = now.block };
	struct pareto front = { 0 };
	int rc = -1;

	if (nodes(&c, NULL, false, e) == 0 && cost_parse("n", &cost, e) == 0) {
		cluster_set_cost(&c, &cost);
		for (size_t i = 0; i < c.n; i++)
			c.node[i].power = (struct power){ true, 1,
				2 + (double)(i * i) };
		rc = share_pareto(&p, &front, e);
	}
	nomem.result += front.n;
	pareto_fini(&front);
	cluster_fini(&c);
	cost_fini(&cost);
	return rc;
}

static void
fronts(void)
{
	for (now.block = 0; now.block <= 7; now.block += 7)
		nomem_each(find_front);
	now.block = 0;
}

static void
each_method(const char *cost, const double *seconds, bool all,
    const enum method *methods, size_t n)
{
	now.cost = cost;
	now.seconds = seconds;
	now.all = all;
	for (size_t i = 0; i < n && test.bad == 0; i++) {
		now.method = methods[i];
		nomem_each(solve);
	}
}

static void
plans_by_formula(void)
{
	static const enum method any[] = { METHOD_AUTO, METHOD_EQUAL,
		METHOD_PROPORTIONAL, METHOD_TAYLOR, METHOD_NLOGN,
		METHOD_ASYMPTOTIC, METHOD_ASYMPTOTIC_PRINTED, METHOD_EXACT,
		METHOD_DP };
	static const enum method power[] = { METHOD_POWER };

	each_method("n*log(n)", NULL, false, any, sizeof any / sizeof *any);
	each_method("n^2", NULL, false, power, 1);
	each_method("n*n+3*n", NULL, false, any, 1);
}

static void
plans_by_points(void)
{
	static const enum method all[] = { METHOD_AUTO, METHOD_FPM, METHOD_DP,
		METHOD_LEARNED };
	static const enum method some[] = { METHOD_PROPORTIONAL, METHOD_EXACT,
		METHOD_NLOGN, METHOD_LEARNED };
	static const enum method power = METHOD_POWER;

	each_method("n", rising, true, all, 4);
	each_method("n*log(n)", rising, false, some, 4);
	each_method("n^2", rising, false, &power, 1);
	each_method("n", falling, true, all, 1);
	each_method("n", falling, true, all + 2, 1);
}

static void
plans_in_blocks(void)
{
	static const enum method dp[] = { METHOD_DP };

	now.block = 50;
	each_method("n", falling, true, dp, 1);
	now.block = 0;
}

static int
learn(struct hp_err *e)
{
	struct cluster c = { 0 };
	struct cost cost = { 0 };
	struct answer a = { 0 };
	int rc = -1;

	if (nodes(&c, rising, true, e) == 0 &&
	    cluster_learn(&c, MERGE_MEAN, &cost, e) == 0)
		rc = share_solve(
		    &(struct problem){ &c, 500, 0 }, METHOD_LEARNED, &a, e);
	answer_fini(&a);
	cluster_fini(&c);
	cost_fini(&cost);
	return rc;
}

static void
learned_costs(void)
{
	nomem_each(learn);
}

/* Adds a section of points at one value of the parameter w. */
static int
add_section(struct node *node, double w, struct hp_err *e)
{
	struct section s = { .capacity = CURVE_MOST };

	s.setting = calloc(1, sizeof *s.setting);
	s.point = reallocarray(NULL, 3, sizeof *s.point);
	if (s.setting != NULL)
		s.nsettings = 1;
	if (s.setting == NULL || s.point == NULL ||
	    (s.setting[0].name = strdup("w")) == NULL) {
		section_fini(&s);
		return no_memory(e);
	}
	s.setting[0].value = w;
	for (size_t i = 0; i < 3; i++)
		s.point[i] = (struct point){ (double)(100 * (i + 1)),
			w * rising[i] };
	s.npoints = 3;
	return surface_add(&node->surface, &s, e);
}

static int
cut_surfaces(struct hp_err *e)
{
	struct cluster c = { 0 };
	int rc = nodes(&c, NULL, false, e);

	for (size_t i = 0; i < c.n && rc == 0; i++)
		if (add_section(&c.node[i], 1, e) == -1 ||
		    add_section(&c.node[i], 2, e) == -1)
			rc = -1;
	if (rc == 0 &&
	    (cluster_cut(&c, "w", 1.5, e) == -1 || cluster_flat(&c, e) == -1))
		rc = -1;
	cluster_fini(&c);
	return rc;
}

static void
surfaces(void)
{
	nomem_each(cut_surfaces);
}

static int
assign(struct hp_err *e)
{
	static const uint64_t size[] = { 9, 4, 4, 7, 1, 0, 30 };
	struct cluster c = { 0 };
	struct cost cost = { 0 };
	uint32_t to[7];
	int rc = -1;

	if (nodes(&c, NULL, false, e) == 0 && cost_parse("n", &cost, e) == 0) {
		cluster_set_cost(&c, &cost);
		rc = share_assign(&c, size, 7, ASSIGN_EXCHANGE, to, e);
	}
	cluster_fini(&c);
	cost_fini(&cost);
	return rc;
}

static void
sublists_assigned(void)
{
	nomem_each(assign);
}

static int file;
static char path[64];

/* Adds a sublist that ends at a line. */
static int
bound(struct sublists *l, const char *line, struct hp_err *e)
{
	struct sublist *s = sublists_add(l, e);

	if (s == NULL)
		return -1;
	if (line == NULL)
		return 0;
	if ((s->until.key = (unsigned char *)strdup(line)) == NULL)
		return no_memory(e);
	s->bounded = true;
	s->until.len = strlen(line);
	return 0;
}

static int
no_piece(void *arg, const struct cut_piece *p, struct hp_err *e)
{
	(void)arg, (void)p, (void)e;
	return 0;
}

static int
cut_reader(struct reader *r, struct classifier *by, int way, struct hp_err *e)
{
	static const uint32_t to[] = { 0, 1, 2 };
	uint64_t count[3];
	int fd = memfd_create("out", 0), rc;

	if (way == 0)
		rc = cut_stream(r, by, 3, to, 0, fd, e);
	else if (way == 1)
		rc = cut_pieces(r, by, 3, to, fd, "out", no_piece, NULL, e);
	else
		rc = cut_count(r, by, 3, count, e);
	close(fd);
	return rc;
}

static int
cut_file(struct hp_err *e)
{
	struct sublists l = { 0 };
	struct classifier by = { 0 };
	struct order o;
	struct records r = { 0 };
	struct reader in;
	uint64_t end[3];
	int rc = -1;

	order_init(&o);
	if (order_ready(&o, e) == -1 || bound(&l, "000100", e) == -1 ||
	    bound(&l, "000200", e) == -1 || bound(&l, NULL, e) == -1 ||
	    classify_init(&by, &l, &o, 0, e) == -1)
		goto out;
	for (int way = 0; way < 3; way++) {
		lseek(file, 0, SEEK_SET);
		if (reader_init(&in, file, "in", &o.format, e) == -1)
			goto out;
		rc = cut_reader(&in, &by, way, e);
		reader_close(&in);
		if (rc == -1)
			goto out;
	}
	rc = records_open(
	    &r, path, &(struct range){ 0, UINT64_MAX }, &o.format, e);
	if (rc == 0)
		rc = cut_sorted(&r, &by, 3, end, e);
	records_close(&r);
out:
	classify_fini(&by);
	sublists_fini(&l);
	order_fini(&o);
	return rc;
}

static void
records_cut(void)
{
	nomem_each(cut_file);
}

static int
divide_file(struct hp_err *e)
{
	static const uint64_t share[NODES] = { 101, 149, LINES - 250 };
	const struct range all = { .bytes = UINT64_MAX };
	struct partition_part part[NODES];
	struct order o;
	int fd = memfd_create("out", 0), rc;
	const struct partition_job to = {
		.share = share, .n = NODES, .to = fd, .name = "out"
	};

	order_init(&o);
	rc = order_ready(&o, e);
	if (rc == 0)
		rc = partition(path, &all, &o, &to, part, e);
	order_fini(&o);
	close(fd);
	return rc;
}

static void
records_divided(void)
{
	nomem_each(divide_file);
}

static int
sample_all(const struct sampling *s, struct hp_err *e)
{
	const struct order *o = s->order;
	struct records r = { 0 };
	struct reader in;
	int rc;

	lseek(file, 0, SEEK_SET);
	if (reader_init(&in, file, "in", &o->format, e) == -1)
		return -1;
	rc = sample_stream(s, &in, 20, e);
	reader_close(&in);
	if (rc == 0 &&
	    (rc = records_open(&r, path, &(struct range){ 0, UINT64_MAX },
		 &o->format, e)) == 0 &&
	    (sample_regular(s, &r, 20, e) == -1 ||
		sample_every(s, &r, 0, LINES, 40, e) == -1 ||
		sample_random(s, &r, 20, e) == -1 ||
		sample_random(s, &r, LINES - 20, e) == -1 ||
		exact_begin(s, &r, 40, e) == -1))
		rc = -1;
	records_close(&r);
	return rc;
}

static int
choose(struct pivots *found, struct hp_err *e)
{
	uint64_t records[] = { LINES };
	struct candidates c = { *found, 1, records };
	double *below = calloc(found->n + 1, sizeof *below);
	struct sublists l = { 0 };
	struct sublist *s;
	int rc = -1;

	if (below == NULL)
		no_memory(e);
	else if (select_random(&c, below, e) == 0 &&
	    select_regular(&c, below, e) == 0 &&
	    (s = sublists_add(&l, e)) != NULL)
		rc = select_nearest(&c, below, LINES / 2, LINES, s, e);
	sublists_fini(&l);
	free(below);
	return rc;
}

static int
sample(struct hp_err *e)
{
	struct pivots found = { 0 };
	struct order o;
	struct sampling s = { &o, 0, 1, &found };
	int rc = -1;

	order_init(&o);
	if (order_ready(&o, e) == 0 && sample_all(&s, e) == 0) {
		nomem.result += found.n;
		pivots_sort(&found);
		pivots_unique(&found);
		rc = choose(&found, e);
	}
	pivots_fini(&found);
	order_fini(&o);
	return rc;
}

static void
candidates_sampled_and_selected(void)
{
	nomem_each(sample);
}

/*
 * Does rounds of the method exact with one node.  A record's index is the
 * number of records before it.
 */
static int
rounds(struct sublists *l, const struct sampling *s, const struct records *r,
    struct hp_err *e)
{
	int64_t open = 1;
	int rc = exact_begin(s, r, 90, e);

	while (rc == 0 && open > 0) {
		uint64_t *below = calloc(s->found->n + 1, sizeof *below);

		if (below == NULL)
			return no_memory(e);
		pivots_sort(s->found);
		pivots_unique(s->found);
		for (size_t i = 0; i < s->found->n; i++)
			below[i] = s->found->v[i].index;
		open = exact_refine(l, s->found, below, e);
		free(below);
		pivots_fini(s->found);
		rc = open == -1 ? -1 : open == 0 ? 0 : exact_sample(s, r, l, e);
	}
	return rc;
}

static int
split_exactly(struct hp_err *e)
{
	static const uint64_t target[] = { 77, 210, LINES };
	struct pivots found = { 0 };
	struct sublists l = { 0 };
	struct records r = { 0 };
	struct order o;
	struct sampling s = { &o, 0, 1, &found };
	int rc = -1;

	order_init(&o);
	if (order_ready(&o, e) == 0 && bound(&l, NULL, e) == 0 &&
	    bound(&l, NULL, e) == 0 && bound(&l, NULL, e) == 0 &&
	    exact_init(&l, target, LINES, e) == 0 &&
	    records_open(
		&r, path, &(struct range){ 0, UINT64_MAX }, &o.format, e) == 0)
		rc = rounds(&l, &s, &r, e);
	records_close(&r);
	pivots_fini(&found);
	sublists_fini(&l);
	order_fini(&o);
	return rc;
}

static void
exact_pivots(void)
{
	nomem_each(split_exactly);
}

static int
count(struct hp_err *e)
{
	struct tally t = { 0 };
	int rc = 0;

	for (uint64_t i = 0; i < 100 && rc == 0; i++)
		rc = tally_add(&t, i, i % 3, 5, e);
	tally_fini(&t);
	return rc;
}

static void
counts_summed(void)
{
	nomem_each(count);
}

int
main(void)
{
	FILE *out = fdopen(dup(file = memfd_create("lines", 0)), "w");

	for (int i = 0; i < LINES; i++)
		fprintf(out, "%06d\n", i);
	if (fclose(out) != 0)
		return 1;
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	RUN(plans_by_formula);
	RUN(plans_by_points);
	RUN(plans_in_blocks);
	RUN(learned_costs);
	RUN(surfaces);
	RUN(sublists_assigned);
	RUN(records_cut);
	RUN(records_divided);
	RUN(candidates_sampled_and_selected);
	RUN(exact_pivots);
	RUN(counts_summed);
	RUN(fronts);
	return test_done();
}

#include <sys/stat.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/cluster.h"
#include "doc/nodes.h"
#include "doc/parts.h"
#include "doc/plan.h"
#include "estimate.h"
#include "estimate_job.h"
#include "files.h"
#include "list.h"
#include "method.h"
#include "nodes.h"
#include "scratch.h"
#include "words.h"

static bool
takes_part(const void *context, const char *name)
{
	const struct run *run = context;

	for (size_t i = 0; i < run->o.without.n; i++)
		if (strcmp(run->o.without.v[i], name) == 0)
			return false;
	return true;
}

/*
 * Adds the number of records to the options of hpsolve.  If the plan covers all
 * stages, also adds the mean size of a record.
 */
static int
sort_words(struct run *run, struct words *w, struct hp_err *e)
{
	uint64_t records = run->records, bytes = files_input_bytes(run);

	if (!run->counted && scratch_count(run, &records, &bytes, e) == -1)
		return -1;
	run->records = records;
	run->counted = true;
	words_add(w, "-n");
	words_addf(w, "%" PRIu64, records);
	if (estimate_whole(run)) {
		words_add(w, "--bytes-per-item");
		words_addf(w, "%.17g",
		    records > 0 ? (double)bytes / (double)records : 1);
		if (divides_by_key(run))
			words_add(w, "--by-key");
	}
	return 0;
}

/* Writes the lines of the nodes that take part to a scratch file. */
static int
write_nodes(struct run *run, struct scratch *to, struct hp_err *e)
{
	FILE *f;
	int rc;

	if (scratch_make(to, e) == -1)
		return -1;
	if ((f = fdopen(dup(to->fd), "w")) == NULL)
		return hp_fail_errno(e, HP_IO, "estimate");
	rc = doc_nodes_copy(
	    run->cluster, run->node_lines, takes_part, run, f, e);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "estimate");
	return rc;
}

/* Runs hpsolve, which writes the plan to a scratch file. */
static int
solve(struct run *run, const struct scratch *to, struct hp_err *e)
{
	struct scratch nodes = { .fd = -1 }, sizes = { .fd = -1 };
	struct stage s;
	struct words w;
	int rc;

	stage_init(&s);
	w = words_of(&s);
	words_add(&w, "hpsolve");
	rc = run->o.mode == MODE_SORT ? sort_words(run, &w, e)
				      : estimate_job_words(run, &w, &sizes, e);
	if (run->weights == NULL && !run->o.files)
		WORDS_ADD(&w, "-m", run->o.method);
	if (rc == 0 && (rc = write_nodes(run, &nodes, e)) == 0) {
		words_add(&w, nodes.name);
		rc = scratch_run(run, &w, to, e);
	}
	scratch_fini(&nodes);
	scratch_fini(&sizes);
	stage_fini(&s);
	return rc;
}

/* Runs hpsolve and reads the plan. */
static int
make_plan(
    struct run *run, struct scratch *s, struct plan *plan, struct hp_err *e)
{
	if (scratch_make(s, e) == -1 || solve(run, s, e) == -1)
		return -1;
	return doc_plan_read(s->name, plan, e);
}

static int
print(const struct scratch *s, struct hp_err *e)
{
	char buf[65536];
	ssize_t n;

	lseek(s->fd, 0, SEEK_SET);
	while ((n = io_read(s->fd, buf, sizeof buf)) > 0)
		if (io_write(STDOUT_FILENO, buf, (size_t)n) == -1)
			return hp_fail_errno(e, HP_IO, "standard output");
	return n == -1 ? hp_fail_errno(e, HP_IO, "estimate") : 0;
}

static bool
alone_is_faster(const struct plan *p)
{
	return p->alone > 0 && p->alone < p->makespan;
}

static size_t
idle_nodes(const struct plan *p)
{
	size_t idle = 0;

	for (size_t i = 0; i < p->nodes; i++)
		idle += p->share[i].n == 0;
	return idle;
}

void
estimate_advise(const struct run *run, const struct plan *p)
{
	size_t idle = idle_nodes(p);

	if (alone_is_faster(p))
		run_say(run,
		    "fewer machines would be faster: this machine alone needs "
		    "about %.3g s, the %zu node%s %.3g s (see --use-fewer)",
		    p->alone, p->nodes, p->nodes == 1 ? "" : "s", p->makespan);
	else if (run->o.estimate && p->nstages > 0 && idle > 0 && p->n > 0)
		run_say(run,
		    "%zu of %zu nodes get no records; a run leaves them out",
		    idle, p->nodes);
}

/* Replaces the cluster by one node on this machine. */
static int
use_this_machine(struct run *run, const struct plan *p, struct hp_err *e)
{
	run_say(run,
	    "sorting on this machine alone: about %.3g s instead of %.3g s",
	    p->alone, p->makespan);
	free(run->cluster);
	run->cluster = NULL;
	run->o.cluster = NULL;
	run->o.transport = NULL;
	if (!run->o.algorithm_given)
		run->o.algorithm = DEMAND_EXACT;
	run->o.without.n = 0;
	run->o.nodes = 1;
	return nodes_source(run, e);
}

/* Leaves out the nodes whose planned share is 0. */
static int
use_fewer(struct run *run, const struct plan *p, struct hp_err *e)
{
	size_t idle = idle_nodes(p);

	if (run->o.fewer && alone_is_faster(p))
		return use_this_machine(run, p, e);
	if (p->nstages == 0 || idle == 0 || p->n == 0)
		return 0;
	for (size_t i = 0; i < p->nodes; i++) {
		char *name;

		if (p->share[i].n > 0)
			continue;
		/*
		 * The list keeps the pointer to the name until the process
		 * ends.
		 */
		if ((name = strdup(p->share[i].node)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "nodes");
		list_add(&run->o.without, name);
	}
	run_say(run, "%zu of %zu nodes would get no records and are left out",
	    idle, p->nodes);
	return 0;
}

/* Returns whether the plan of these nodes covers all stages. */
static bool
is_linked(const struct run *run)
{
	struct cluster c = { 0 };
	struct hp_err ignored = { 0 };
	bool linked = doc_cluster_read(run->cluster, &c, &ignored) == 0 &&
	    cluster_linked(&c);

	for (size_t i = 0; linked && i < c.n; i++) {
		const struct curve *v = &c.node[i].curve;

		/*
		 * A speed without points is enough, because hpsolve has a
		 * default cost function.
		 */
		linked = v->point != NULL || v->speed > 0;
	}
	cluster_fini(&c);
	return linked;
}

bool
estimate_is_due(const struct run *run)
{
	if (run->o.estimate || run->o.fewer)
		return true;
	if (!estimate_whole(run) || run->cluster == NULL || run->o.dry ||
	    run->o.keep != NULL || run->o.profile_s > 0 ||
	    run->o.profile_key != NULL || !is_linked(run))
		return false;
	for (char **file = run->operand; *file != NULL; file++) {
		struct stat st;

		if (strcmp(*file, "-") == 0 || stat(*file, &st) == -1 ||
		    !S_ISREG(st.st_mode))
			return false;
	}
	return true;
}

bool
estimate_whole(const struct run *run)
{
	return run->o.mode == MODE_SORT && run->o.in_place == NULL &&
	    run->o.leave == NULL && begins_with_sort(run);
}

/*
 * Returns whether the method range could sort this input, and whether a plan
 * tells how long it would take.
 */
static bool
range_is_possible(const struct run *run, const struct plan *exact)
{
	struct cluster c = { 0 };
	struct hp_err ignored = { 0 };
	bool known;

	if (!method_may_be_range(run) || exact->nstages == 0 || exact->n == 0)
		return false;
	known = doc_cluster_read(run->cluster, &c, &ignored) == 0 &&
	    c.launcher.divide_s_per_item > 0;
	cluster_fini(&c);
	return known;
}

/* Changes the method to range, and the plan, if range is faster than exact. */
static int
choose_method(
    struct run *run, struct scratch *s, struct plan *plan, struct hp_err *e)
{
	struct scratch other = { .fd = -1 };
	struct plan range = { 0 };
	int rc;

	if (!range_is_possible(run, plan))
		return 0;
	run->o.algorithm = DEMAND_RANGE;
	rc = make_plan(run, &other, &range, e);
	if (rc == 0 && range.makespan < plan->makespan) {
		struct scratch slower = *s;
		struct plan slower_plan = *plan;

		if (run->o.estimate)
			run_say(run,
			    "the method is range, which needs about %.3g s; "
			    "exact needs %.3g s",
			    range.makespan, plan->makespan);
		*s = other;
		other = slower;
		*plan = range;
		range = slower_plan;
	} else
		run->o.algorithm = DEMAND_EXACT;
	plan_fini(&range);
	scratch_fini(&other);
	return rc;
}

static int
report(struct run *run, struct scratch *s, const struct plan *plan,
    struct hp_err *e)
{
	if (run->o.mode != MODE_SORT)
		return estimate_job_print(s, plan, e);
	if (run->o.estimate && print(s, e) == -1)
		return -1;
	if (plan->nstages == 0 && (run->o.estimate || run->o.fewer)) {
		if (run->cluster != NULL && is_linked(run))
			run_say(run, "-a %s: only the sort is estimated",
			    demand_name(run->o.algorithm));
		else
			run_say(run,
			    "the cluster has no links: only the sort is "
			    "estimated");
	}
	if (!run->o.estimate)
		return use_fewer(run, plan, e);
	estimate_advise(run, plan);
	return 0;
}

int
estimate(struct run *run, struct hp_err *e)
{
	struct scratch s = { .fd = -1 };
	struct plan plan = { 0 };
	int rc = -1;

	if (make_plan(run, &s, &plan, e) == 0 &&
	    choose_method(run, &s, &plan, e) == 0)
		rc = report(run, &s, &plan, e);
	plan_fini(&plan);
	scratch_fini(&s);
	/*
	 * If the user has not asked for a plan, ignore errors: the run itself
	 * reports what is wrong.
	 */
	return run->o.estimate || run->o.fewer ? rc : 0;
}

int
size_do(char *words[], struct hp_err *e)
{
	uint64_t records;
	struct stat st;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(e, HP_USAGE, "size FILE COUNT");
	if (stat(words[0], &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[0]);
	if (doc_total_read(words[1], &records, e) == -1)
		return -1;
	printf(
	    "%.17g\n", records > 0 ? (double)st.st_size / (double)records : 1);
	return 0;
}

#include <sys/stat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batches.h"
#include "deal.h"
#include "doc/batches.h"
#include "doc/plan.h"
#include "exchange.h"
#include "file.h"
#include "growing.h"
#include "memory.h"
#include "progress.h"
#include "prove.h"
#include "returned.h"
#include "words.h"

enum {
	/*
	 * The input is dealt in batches only if it has this many bytes for each
	 * node.  For less input, one share for each node is enough.
	 */
	NODE_LEAST = 2 << 20,
	/*
	 * least input per node for a probe, in which batches only show the
	 * speeds
	 */
	PROBE_LEAST = 16 << 20,
	UNIT_BYTES = 128 << 10,
	/* most units, unless nodes * UNITS_OF_NODE is more */
	UNITS_MOST = 8192,
	UNITS_OF_NODE = 64
};

/*
 * Returns whether the options leave it to hprun how many records each node
 * gets.
 */
static bool
are_free(const struct run *run)
{
	return run->nodes > 1 && run->o.mode == MODE_SORT && !run->o.dry &&
	    run->o.in_place == NULL && strcmp(run->o.method, "auto") == 0 &&
	    run->o.profile_s == 0 && run->o.profile_key == NULL;
}

/*
 * Returns whether a node can merge its batches into one sorted file.  A stable
 * sort needs the order of the input, which batches lose.
 */
static bool
merges_batches(const struct run *run)
{
	return sorts_first(run) && !run->o.order.stable && !run->o.order.unique;
}

/*
 * Returns whether each sorted batch can return to its place in the result: the
 * input is divided by key, and no host writes a file of its own.
 */
static bool
returns_batches(const struct run *run)
{
	return divides_by_key(run) && run->collected;
}

/* Returns whether the nodes can sort the whole input in batches. */
static bool
sorts_batches(const struct run *run)
{
	return divides_by_key(run) ? returns_batches(run) : merges_batches(run);
}

/*
 * Returns whether batches are needed to show the speeds of the nodes, or are
 * the fastest way to sort: a host then returns a batch while it receives
 * another.
 */
static bool
are_useful(const struct run *run)
{
	return run->unknown || (!run->limited && returns_batches(run));
}

bool
batches_may_come(const struct run *run)
{
	return are_free(run) && are_useful(run) && sorts_batches(run);
}

static int
choose(struct run *run, struct hp_err *e)
{
	bool sorts = sorts_batches(run), large;
	struct stat st;

	run->batched = run->probed = false;
	if (!are_free(run) || !are_useful(run))
		return 0;
	/* The divided copy keeps its size, even if the input changes. */
	if (!run->divided) {
		if (stat(run->input, &st) == -1)
			return hp_fail_errno(e, HP_IO, "%s", run->input);
		run->input_bytes = (uint64_t)st.st_size;
	}
	large = run->input_bytes / (sorts ? NODE_LEAST : PROBE_LEAST) >=
		run->nodes &&
	    run->records / UNITS_OF_NODE >= run->nodes;
	run->batched = large && sorts;
	run->probed = large && !sorts;
	return 0;
}

/*
 * Writes units.plan, a plan that divides the input into units with equal
 * numbers of records.
 */
static int
plan_units(struct run *run, struct hp_err *e)
{
	uint64_t most = run->nodes * UNITS_OF_NODE, units, n;
	struct plan p = { 0 };
	struct file_out f;
	char *name;
	int rc = 0;

	/* A unit of keys costs hpsplit a buffer in each thread. */
	if (most < UNITS_MOST && !batches_return(run))
		most = UNITS_MOST;
	units = run->input_bytes / UNIT_BYTES;
	units = units < most ? units : most;
	units = units < run->records ? units : run->records;
	if ((p.method = strdup("equal")) == NULL ||
	    (p.cost = strdup("n")) == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "units");
	for (uint64_t i = 0; rc == 0 && i < units; i++) {
		n = run->records / units + (i < run->records % units);
		if (asprintf(&name, "unit%ju", (uintmax_t)i) == -1)
			rc = hp_fail_errno(e, HP_NOMEM, "units");
		else
			rc = plan_add(&p, name, n, 0, e);
	}
	if (rc == 0 && (rc = file_begin(&f, "units.plan", e)) == 0) {
		for (size_t i = 0; rc == 0 && i < p.nodes; i++)
			rc = doc_share_write(f.file, i, &p.share[i], e);
		if (rc == 0)
			rc = doc_plan_write(f.file, &p, e);
		rc = file_end(&f, rc, e);
	}
	plan_fini(&p);
	return rc;
}

static int
make_units(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	if (plan_units(run, e) == -1)
		return -1;
	stage_init(&s);
	w = ordered(run, &s, "hpsplit", batches_return(run) ? "range" : "deal");
	WORDS_ADD(&w, "-P", "units.plan");
	if (batches_return(run))
		WORDS_ADD(&w, "--approximate", "-o", run->ranges, "--sums",
		    "units.sums");
	words_add(&w, run->input);
	return run_alone(run, &s, "deal", port_file("units.jsonl"), &w, e);
}

/*
 * Divides the input into units. If it is divided by key, this takes long, so
 * another attempt uses the units of the first one.
 */
static int
divide(struct run *run, struct hp_err *e)
{
	bool by_key = batches_return(run);

	if (!(by_key && run->divided)) {
		returned_forget(run);
		if (make_units(run, e) == -1)
			return -1;
	}
	run->divided = by_key;
	/*
	 * Until the speeds are known, the progress display assumes equal
	 * shares.
	 */
	for (size_t i = 0; i < run->nodes; i++) {
		run->node[i].share = run->records / run->nodes;
		run->node[i].bytes = run->input_bytes / run->nodes;
	}
	progress_measure(run);
	return 0;
}

/* Plans the shares of the merge from the speeds that the batches have shown. */
static int
plan_shares(struct run *run, const struct growing *g, struct hp_err *e)
{
	double *seconds = growing_seconds(g, run->records, e);
	struct file_out f;
	int rc;

	if (seconds == NULL)
		return -1;
	if ((rc = file_begin(&f, "learned.jsonl", e)) == 0)
		rc = file_end(&f,
		    doc_speeds_write("cluster.jsonl", seconds, run->nodes,
			run->records, f.file, e),
		    e);
	free(seconds);
	return rc == -1 ? -1 : deal_plan_by(run, "learned.jsonl", e);
}

/*
 * Adds the step that merges the sorted batches of a node into the file `run`.
 */
static void
unite_step(
    struct run *run, struct stage *s, const struct growing *g, size_t rank)
{
	struct step *step = stage_step(s, (int)rank, "unite");
	struct words w = ordered(run, s, "hpmerge", NULL);
	struct words files = words_of(s);

	for (size_t i = 0; i < g->n; i++)
		if (g->batch[i].rank == rank)
			words_add(&files, nth(s, "run", i));
	if (files.n == 1) {
		stage_rename(s, step, files.v[0], "run");
		return;
	}
	memory_words(run, rank, 0, &w);
	WORDS_ADD(&w, "-o", "run");
	/* A node that was too slow to get a batch makes an empty file. */
	if (files.n == 0)
		words_add(&w, "/dev/null");
	words_add_all(&w, files.v);
	stage_run(s, step, port_none(), port_none(), &w);
	if (run->o.keep == NULL && files.n > 0)
		stage_files(s, step, ACT_REMOVE, &files);
}

static int
unite(struct run *run, const struct growing *g, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		unite_step(run, &s, g, i);
		sum_dealt_to(run, &s, i);
	}
	return run_stage(run, &s, e);
}

/*
 * Deals and sorts batches of the beginning of the input.  Plans the shares of
 * all nodes from the times that this took.
 */
static int
probe(struct run *run, struct hp_err *e)
{
	struct growing g;
	int rc = divide(run, e);

	if (rc == -1)
		return -1;
	if ((rc = growing_init(&g, run, true, e)) == 0 &&
	    (rc = growing_run(&g, e)) == 0)
		rc = plan_shares(run, &g, e);
	growing_fini(&g);
	return rc;
}

int
batches_divide(struct run *run, struct hp_err *e)
{
	if (run->divided || !batches_may_come(run) || !divides_by_key(run))
		return 0;
	if (deal_count(run, e) == -1 || choose(run, e) == -1)
		return -1;
	return run->batched ? divide(run, e) : 0;
}

int
batches_deal(struct run *run, struct hp_err *e)
{
	if (choose(run, e) == -1)
		return -1;
	/*
	 * This attempt deals no batches by key, for example because only one
	 * node is left.  So it cannot use the units of an earlier attempt.
	 */
	if (run->divided && !batches_return(run)) {
		run->divided = false;
		returned_forget(run);
		unlink(run->ranges);
	}
	if (run->batched)
		return !run->unknown && deal_plan(run, e) == -1
		    ? -1
		    : divide(run, e);
	if (run->probed ? probe(run, e) == -1 : deal_plan(run, e) == -1)
		return -1;
	return deal_input(run, e);
}

int
batches_sort(struct run *run, struct hp_err *e)
{
	struct growing g;
	int rc = growing_init(&g, run, false, e);

	if (rc == 0 && (rc = growing_run(&g, e)) == 0 &&
	    (rc = growing_write(&g, e)) == 0 &&
	    (rc = plan_shares(run, &g, e)) == 0 &&
	    (rc = unite(run, &g, e)) == 0)
		rc = remove_input(run, e);
	growing_fini(&g);
	return rc;
}

void
batches_forget(struct run *run)
{
	unlink("batches.jsonl");
	if (!run->divided && run->ranges != NULL)
		unlink(run->ranges);
}

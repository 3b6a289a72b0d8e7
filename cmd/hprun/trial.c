#include <sys/stat.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "exchange.h"
#include "first.h"
#include "gather.h"
#include "links.h"
#include "methods.h"
#include "share/fit.h"
#include "spans.h"
#include "trial.h"
#include "trial_again.h"
#include "trial_deal.h"
#include "trial_range.h"
#include "trial_run.h"
#include "words.h"

struct trial {
	struct run *run;
	struct cluster *c;
	double item_bytes;
	uint64_t *n;	   /* records of each node */
	struct span *span; /* of the last steps of some name, by rank */
	struct fit_times times;
};

bool
trial_possible(const struct run *run)
{
	struct stat st;

	return run->o.mode == MODE_SORT && run->remote && run->stored &&
	    !run->o.dry && !run->o.random && run->o.keep == NULL &&
	    run->o.in_place == NULL && run->o.leave == NULL && !run->o.shared &&
	    sorts_first(run) && !run->transport->collective &&
	    run->records > 0 && stat(run->input, &st) == 0 &&
	    S_ISREG(st.st_mode);
}

static bool
has_items(const struct trial *t, size_t rank)
{
	return t->run->node[rank].host != NULL && t->n[rank] > 0;
}

static int
try_sort(struct trial *t, double *sorted_s, struct hp_err *e)
{
	struct run *run = t->run;
	struct span all;

	if (trial_pause(run, e) == -1 || sort_parts(run, ALL_NODES, e) == -1 ||
	    spans_find(t->run, "send", t->span, e) == -1)
		return -1;
	for (size_t i = 0; i < run->nodes; i++)
		if (has_items(t, i))
			t->times.node[i].send_together = span_length(
			    &t->span[i]);
	all = spans_all(run, t->span);
	t->times.send = span_length(&all);
	/* The entry of a sort begins when its part has arrived. */
	if (spans_find(t->run, "sort", t->span, e) == -1)
		return -1;
	for (size_t i = 0; i < run->nodes; i++)
		if (has_items(t, i))
			t->times.node[i].rest = span_length(&t->span[i]);
	*sorted_s = spans_all(run, t->span).end_s;
	return 0;
}

static int
try_exchange(struct trial *t, double sorted_s, struct hp_err *e)
{
	struct run *run = t->run;
	struct span all;
	int rc = run->o.algorithm == DEMAND_EXACT ? exact_search(run, e)
						  : psrs_search(run, e);

	if (rc == -1 || cut_runs(run, e) == -1 ||
	    spans_find(t->run, "cut", t->span, e) == -1)
		return -1;
	t->times.pivots = spans_all(run, t->span).end_s - sorted_s;
	if (exchange_files(run, "run", e) == -1 ||
	    spans_find(t->run, "exchange", t->span, e) == -1)
		return -1;
	all = spans_all(run, t->span);
	t->times.exchange = span_length(&all);
	return 0;
}

/* Stores the times of the last merges at the offset in struct fit_node. */
static int
take_merges(struct trial *t, size_t only, size_t at, struct hp_err *e)
{
	if (spans_find(t->run, "merge", t->span, e) == -1)
		return -1;
	for (size_t i = 0; i < t->run->nodes; i++)
		if (t->n[i] > 0 && (only == ALL_NODES || i == only))
			*(double *)((char *)&t->times.node[i] +
			    at) = span_length(&t->span[i]);
	return 0;
}

static int
try_gather(struct trial *t, struct hp_err *e)
{
	struct run *run = t->run;
	struct span all;

	if (!run->collected)
		return 0;
	if (gather_begin(run, run->beside, e) == -1 ||
	    merge_parts(run, ALL_NODES, e) == -1)
		return -1;
	if (take_merges(t, ALL_NODES,
		offsetof(struct fit_node, gather_together), e) == -1)
		return -1;
	all = spans_all(run, t->span);
	t->times.gather = span_length(&all);
	return 0;
}

/* Merges into files, which are removed at the end of the trial. */
static int
try_stored_merge(struct trial *t, struct hp_err *e)
{
	struct run *run = t->run;
	bool collected = run->collected;
	int rc;

	run->collected = false;
	rc = merge_parts(run, ALL_NODES, e);
	run->collected = collected;
	return rc == -1
	    ? -1
	    : take_merges(t, ALL_NODES, offsetof(struct fit_node, merge), e);
}

/*
 * The end of the first part of the trial: each host returns and receives its
 * part while the others wait.
 */
static int
try_alone(struct trial *t, struct hp_err *e)
{
	struct run *run = t->run;

	for (size_t i = 0; i < run->nodes; i++) {
		if (!has_items(t, i))
			continue;
		if (run->collected &&
		    (merge_parts(run, i, e) == -1 ||
			take_merges(t, i,
			    offsetof(struct fit_node, gather_alone), e) == -1))
			return -1;
		if (sort_parts(run, i, e) == -1 ||
		    spans_find(t->run, "send", t->span, e) == -1)
			return -1;
		t->times.node[i].send_alone = span_length(&t->span[i]);
	}
	return 0;
}

/*
 * Removes the files of the trial from the nodes. The step has the name
 * `profile`, because a trace begins after the last step of this name.
 */
static int
clean(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		words_add(&w, "run");
		words_add(&w, "out");
		across(run, "from", &w);
		stage_files(
		    &s, stage_step(&s, (int)i, "profile"), ACT_REMOVE, &w);
	}
	return run_stage(run, &s, e);
}

static int
deal(struct trial *t, struct hp_err *e)
{
	if (trial_deal(t->run, t->c, t->item_bytes, e) == -1)
		return -1;
	for (size_t i = 0; i < t->run->nodes; i++)
		t->n[i] = t->run->node[i].share;
	return 0;
}

static int
do_stages(struct trial *t, struct hp_err *e)
{
	double sorted_s;

	if (try_sort(t, &sorted_s, e) == -1 ||
	    try_exchange(t, sorted_s, e) == -1)
		return -1;
	return try_gather(t, e);
}

/*
 * The first part of the trial. Every node takes part, and the parts need not
 * arrive at the same time.
 */
static int
do_first(struct trial *t, struct hp_err *e)
{
	if (make_links(t->run, e) == -1 || deal(t, e) == -1)
		return -1;
	t->run->unpaced = true;
	if (do_stages(t, e) == -1 || try_stored_merge(t, e) == -1 ||
	    try_alone(t, e) == -1 || clean(t->run, e) == -1)
		return -1;
	t->run->unpaced = false;
	fit_stages(t->c, t->item_bytes, t->run->records, t->n, &t->times);
	return 0;
}

static int
do_both(struct trial *t, struct hp_err *e)
{
	uint64_t records = t->run->records;
	const char *input;
	struct cost cost;
	int rc;

	if (cost_parse(COST_DEFAULT, &cost, e) == -1)
		return -1;
	cluster_set_cost(t->c, &cost);
	if ((rc = do_first(t, e)) == 0 &&
	    (rc = trial_input(t->run, records, &input, e)) == 0 &&
	    (rc = trial_again(t->run, t->c, t->item_bytes, input, e)) == 0)
		rc = trial_range(t->run, t->c, input, e);
	cost_fini(&cost);
	return rc;
}

int
trial(struct run *run, struct cluster *c, struct hp_err *e)
{
	struct trial t = { .run = run, .c = c };
	struct progress_state progress = run->progress;
	bool shows = run->o.progress;
	uint64_t records = run->records;
	struct stat st;
	int rc = -1;

	t.n = calloc(run->nodes, sizeof *t.n);
	t.span = calloc(run->nodes, sizeof *t.span);
	t.times.node = calloc(run->nodes, sizeof *t.times.node);
	run->o.progress = false;
	if (t.n == NULL || t.span == NULL || t.times.node == NULL)
		hp_fail_errno(e, HP_NOMEM, "trial");
	else if (stat(run->input, &st) == -1)
		hp_fail_errno(e, HP_IO, "%s", run->input);
	else {
		t.item_bytes = fmax((double)st.st_size / (double)records, 1e-9);
		rc = do_both(&t, e);
	}
	run->records = records;
	run->o.progress = shows;
	run->unpaced = false;
	run->progress = progress;
	free(t.n);
	free(t.span);
	free(t.times.node);
	return rc;
}

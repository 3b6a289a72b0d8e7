#include <sys/stat.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "exchange.h"
#include "first.h"
#include "gather.h"
#include "job/journal.h"
#include "links.h"
#include "methods.h"
#include "profile_steps.h"
#include "share/fit.h"
#include "trial.h"
#include "trial_deal.h"
#include "words.h"

struct span {
	double start_s, end_s;
};

struct trial {
	struct run *run;
	struct cluster *c;
	double item_bytes;
	uint64_t *n;	   /* records of each node */
	struct span *span; /* of the last steps of some name, by rank */
	const char *name;  /* name of these steps */
	struct fit_times times;
	double planned_s; /* seconds of the plan and of what depends on it */
};

bool
trial_possible(const struct run *run)
{
	struct stat st;

	return run->o.mode == MODE_SORT && run->remote && run->stored &&
	    !run->o.dry && run->o.keep == NULL && run->o.in_place == NULL &&
	    run->o.leave == NULL && !run->o.shared && sorts_first(run) &&
	    !run->transport->collective && run->records > 0 &&
	    stat(run->input, &st) == 0 && S_ISREG(st.st_mode);
}

static int
note_entry(void *context, const struct journal_entry *j, struct hp_err *e)
{
	struct trial *t = context;

	(void)e;
	if (strcmp(j->name, t->name) == 0 && j->rank >= 0 &&
	    (size_t)j->rank < t->run->nodes)
		t->span[j->rank] = (struct span){ j->start_s, j->end_s };
	return 0;
}

/* Reads the times of the last steps of this name. */
static int
find_spans(struct trial *t, const char *name, struct hp_err *e)
{
	for (size_t i = 0; i < t->run->nodes; i++)
		t->span[i] = (struct span){ 0 };
	t->name = name;
	return journal_each("journal", note_entry, t, e);
}

static double
length(const struct span *s)
{
	return s->end_s - s->start_s;
}

/* Returns the time from the first start to the last end, or 0. */
static struct span
all_spans(const struct trial *t)
{
	struct span all = { .start_s = INFINITY };

	for (size_t i = 0; i < t->run->nodes; i++) {
		const struct span *s = &t->span[i];

		if (s->end_s == 0)
			continue;
		all.start_s = fmin(all.start_s, s->start_s);
		all.end_s = fmax(all.end_s, s->end_s);
	}
	return all.end_s == 0 ? (struct span){ 0 } : all;
}

/* Returns whether the trial measures this node alone. */
static bool
has_items(const struct trial *t, size_t rank)
{
	return t->run->node[rank].host != NULL && t->n[rank] > 0;
}

/* The first part of the trial: all hosts receive and sort their parts. */
static int
try_sort(struct trial *t, double *sorted_s, struct hp_err *e)
{
	struct run *run = t->run;

	if (profile_pause(run, e) == -1 ||
	    sort_parts(run, ALL_NODES, e) == -1 ||
	    find_spans(t, "send", e) == -1)
		return -1;
	for (size_t i = 0; i < run->nodes; i++)
		if (has_items(t, i))
			t->times.node[i].send_together = length(&t->span[i]);
	/* The entry of a sort begins when its part has arrived. */
	if (find_spans(t, "sort", e) == -1)
		return -1;
	for (size_t i = 0; i < run->nodes; i++)
		if (has_items(t, i))
			t->times.node[i].rest = length(&t->span[i]);
	*sorted_s = all_spans(t).end_s;
	return 0;
}

static int
try_exchange(struct trial *t, double sorted_s, struct hp_err *e)
{
	struct run *run = t->run;
	struct span all;
	int rc = run->o.algorithm == DEMAND_EXACT ? exact_search(run, e)
						  : psrs_search(run, e);

	if (rc == -1 || cut_runs(run, e) == -1 || find_spans(t, "cut", e) == -1)
		return -1;
	t->times.pivots = all_spans(t).end_s - sorted_s;
	if (exchange_files(run, "run", e) == -1 ||
	    find_spans(t, "exchange", e) == -1)
		return -1;
	all = all_spans(t);
	t->times.exchange = length(&all);
	return 0;
}

/* Stores the times of the last merges at the offset in struct fit_node. */
static int
take_merges(struct trial *t, size_t only, size_t at, struct hp_err *e)
{
	if (find_spans(t, "merge", e) == -1)
		return -1;
	for (size_t i = 0; i < t->run->nodes; i++)
		if (t->n[i] > 0 && (only == ALL_NODES || i == only))
			*(double *)((char *)&t->times.node[i] + at) = length(
			    &t->span[i]);
	return 0;
}

static int
try_gather(struct trial *t, struct hp_err *e)
{
	struct run *run = t->run;

	if (!run->collected)
		return 0;
	if (gather_begin(run, run->beside, e) == -1 ||
	    merge_parts(run, ALL_NODES, e) == -1)
		return -1;
	return take_merges(
	    t, ALL_NODES, offsetof(struct fit_node, gather_together), e);
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

/* The last part of the trial: each host alone. */
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
		    find_spans(t, "send", e) == -1)
			return -1;
		t->times.node[i].send_alone = length(&t->span[i]);
	}
	return 0;
}

/*
 * Removes the files of the trial from the nodes. The name of the step makes a
 * trace begin after the trial.
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
do_stages(struct trial *t, struct hp_err *e)
{
	double began_s = clock_now_s(), sorted_s;

	if (make_links(t->run, e) == -1 ||
	    trial_deal(t->run, t->item_bytes, e) == -1)
		return -1;
	for (size_t i = 0; i < t->run->nodes; i++)
		t->n[i] = t->run->node[i].share;
	t->planned_s = clock_now_s() - began_s;
	if (try_sort(t, &sorted_s, e) == -1 ||
	    try_exchange(t, sorted_s, e) == -1 || try_gather(t, e) == -1 ||
	    try_stored_merge(t, e) == -1 || try_alone(t, e) == -1)
		return -1;
	return clean(t->run, e);
}

/* Stores what follows from the times of the trial. */
static int
fit(struct trial *t, double before_s, struct hp_err *e)
{
	struct cost cost;
	double login_s = 0;

	if (cost_parse(COST_DEFAULT, &cost, e) == -1)
		return -1;
	cluster_set_cost(t->c, &cost);
	fit_stages(t->c, t->item_bytes, t->run->records, t->n, &t->times);
	cost_fini(&cost);
	for (size_t i = 0; i < t->c->n; i++)
		login_s = fmax(login_s, t->c->node[i].login_s);
	t->c->launcher.begin_s = fmax(before_s + t->planned_s - login_s, 0);
	return 0;
}

int
trial(struct run *run, double before_s, struct cluster *c, struct hp_err *e)
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
	run->unpaced = true;
	if (t.n == NULL || t.span == NULL || t.times.node == NULL)
		hp_fail_errno(e, HP_NOMEM, "trial");
	else if (stat(run->input, &st) == -1)
		hp_fail_errno(e, HP_IO, "%s", run->input);
	else {
		t.item_bytes = fmax((double)st.st_size / (double)records, 1e-9);
		if ((rc = do_stages(&t, e)) == 0)
			rc = fit(&t, before_s, e);
	}
	run->tried = rc == 0;
	run->records = records;
	run->o.progress = shows;
	run->unpaced = false;
	run->progress = progress;
	free(t.n);
	free(t.span);
	free(t.times.node);
	return rc;
}

static int
note_result(void *context, const struct journal_entry *j, struct hp_err *e)
{
	struct run *run = context;

	(void)e;
	if (strcmp(j->name, "gather") == 0 || strcmp(j->name, "merge") == 0)
		run->result_s = fmax(run->result_s, j->end_s);
	return 0;
}

int
trial_note_result(struct run *run, struct hp_err *e)
{
	if (!run->tried)
		return 0;
	return journal_each("journal", note_result, run, e);
}

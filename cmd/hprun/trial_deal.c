#include <inttypes.h>

#include "doc/extents.h"
#include "doc/links.h"
#include "doc/measured.h"
#include "doc/parts.h"
#include "doc/plan.h"
#include "file.h"
#include "memory.h"
#include "trial_deal.h"
#include "words.h"

enum {
	/*
	 * A trial takes about ten times as long as the run whose stages it
	 * does, and may take as long as the time of --profile.
	 */
	PARTS_OF_TIME = 10,
	/* a node without a share gets this fraction of an equal share */
	FEW_OF_SHARE = 16
};

/*
 * The plan of the trial, and the extents of its parts in the input.  In both
 * files, the rest of the input is the part of one more node.
 */
#define TRIAL_PLAN "trial.plan"
#define TRIAL_DEAL "trial.deal"
/* The cluster file of the trial, in the work directory. */
#define CLUSTER "trial.jsonl"
#define INPUT "trial.in"

int
trial_write(const struct cluster *c, const char **file, struct hp_err *e)
{
	struct file_out f;

	*file = CLUSTER;
	if (file_begin(&f, CLUSTER, e) == -1)
		return -1;
	return file_end(&f,
	    doc_links_write("nodes.jsonl", c->node, c->n, &c->launcher,
		"profile.launcher", f.file, e),
	    e);
}

/* Plans the stages for n records. */
static int
plan(struct run *run, double item_bytes, uint64_t n, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	words_add(&w, "hpsolve");
	words_add(&w, "-n");
	words_addf(&w, "%" PRIu64, n);
	words_add(&w, "-m");
	words_add(&w, run->o.method);
	words_add(&w, "--bytes-per-item");
	words_addf(&w, "%.17g", item_bytes);
	words_add(&w, CLUSTER);
	return run_alone(run, &s, "plan", port_file("plan.jsonl"), &w, e);
}

/*
 * Plans the trial: as many records of the input as the time of --profile
 * allows.
 */
static int
plan_trial(struct run *run, double item_bytes, struct hp_err *e)
{
	uint64_t all = run->records, n;
	double makespan, part;
	bool beyond;

	if (plan(run, item_bytes, all, e) == -1 ||
	    doc_foreseen_read("plan.jsonl", &makespan, &n, &beyond, e) == -1)
		return -1;
	part = (double)run->o.profile_s / (PARTS_OF_TIME * makespan);
	if (part >= 1)
		return 0;
	n = (uint64_t)((double)all * part);
	run->records = n > 0 ? n : 1;
	return plan(run, item_bytes, run->records, e);
}

/*
 * Gives a few records to the nodes that have none in the plan, so that the
 * trial measures them, too. The node with most records gives them.
 */
static void
include_all(struct plan *p)
{
	uint64_t few = p->n / (FEW_OF_SHARE * p->nodes), at = 0;
	size_t most = 0;

	for (size_t i = 0; i < p->nodes; i++)
		if (p->share[i].n > p->share[most].n)
			most = i;
	for (size_t i = 0; i < p->nodes; i++)
		if (p->share[i].n == 0) {
			p->share[i].n = few;
			p->share[most].n -= few;
		}
	for (size_t i = 0; i < p->nodes; i++) {
		p->share[i].offset = at;
		at += p->share[i].n;
	}
}

/*
 * Writes the shares of the plan. If `rest` is not NULL, it is the share of
 * another node.
 */
static int
write_plan(const char *file, const struct plan *p, const struct share *rest,
    struct hp_err *e)
{
	struct plan whole = *p;
	struct file_out f;
	int rc = 0;

	whole.nstages = 0;
	if (rest != NULL) {
		whole.nodes++;
		whole.n += rest->n;
	}
	if (file_begin(&f, file, e) == -1)
		return -1;
	for (size_t i = 0; rc == 0 && i < p->nodes; i++)
		rc = doc_share_write(f.file, i, &p->share[i], e);
	if (rc == 0 && rest != NULL)
		rc = doc_share_write(f.file, p->nodes, rest, e);
	if (rc == 0)
		rc = doc_plan_write(f.file, &whole, e);
	return file_end(&f, rc, e);
}

/* Notes the parts of the nodes, and writes deal.jsonl without the rest. */
static int
take_deal(struct run *run, struct hp_err *e)
{
	struct parts l = { 0 };
	struct file_out f;
	int rc = doc_deal_read(TRIAL_DEAL, &l, e);

	if (rc == 0 && l.n != run->nodes + 1)
		rc = hp_fail(e, HP_INPUT, TRIAL_DEAL ": made for other nodes");
	if (rc == 0 && (rc = file_begin(&f, "deal.jsonl", e)) == 0) {
		for (size_t i = 0; rc == 0 && i < run->nodes; i++) {
			run->node[i].offset = l.v[i].offset;
			run->node[i].bytes = l.v[i].bytes;
			rc = doc_extent_write(f.file,
			    &(struct extent){ .sublist = i,
				.rank = i,
				.records = run->node[i].share,
				.offset = l.v[i].offset,
				.bytes = l.v[i].bytes },
			    e);
		}
		rc = file_end(&f, rc, e);
	}
	parts_fini(&l);
	memory_share(run);
	return rc;
}

/* Divides the beginning of the input among the nodes. */
int
trial_deal(struct run *run, const struct cluster *c, double item_bytes,
    struct hp_err *e)
{
	static char others[] = "rest";
	uint64_t all = run->records;
	struct plan p = { 0 };
	struct stage s;
	struct words w;
	struct share rest = { .node = others };
	const char *file;
	int rc = trial_write(c, &file, e);

	if (rc == 0 && (rc = plan_trial(run, item_bytes, e)) == 0)
		rc = doc_plan_read("plan.jsonl", &p, e);
	if (rc == 0 && p.nodes != run->nodes)
		rc = hp_fail(e, HP_INPUT, "plan.jsonl: made for other nodes");
	if (rc == 0)
		include_all(&p);
	for (size_t i = 0; rc == 0 && i < p.nodes; i++)
		run->node[i].share = p.share[i].n;
	rest.n = all - run->records;
	rest.offset = p.n;
	if (rc == 0 && (rc = write_plan("plan.jsonl", &p, NULL, e)) == 0)
		rc = write_plan(TRIAL_PLAN, &p, &rest, e);
	plan_fini(&p);
	if (rc == -1)
		return -1;
	stage_init(&s);
	w = ordered(run, &s, "hpsplit", "deal");
	words_add(&w, "-P");
	words_add(&w, TRIAL_PLAN);
	words_add(&w, run->input);
	if (run_alone(run, &s, "deal", port_file(TRIAL_DEAL), &w, e) == -1)
		return -1;
	return take_deal(run, e);
}

/* Returns the offset in the input at which the records of the trial end. */
static uint64_t
trial_end(const struct run *run)
{
	uint64_t end = 0;

	for (size_t i = 0; i < run->nodes; i++)
		if (run->node[i].offset + run->node[i].bytes > end)
			end = run->node[i].offset + run->node[i].bytes;
	return end;
}

int
trial_input(struct run *run, uint64_t all, const char **file, struct hp_err *e)
{
	struct stage s;
	struct words w;

	*file = run->input;
	if (run->records == all)
		return 0;
	*file = INPUT;
	stage_init(&s);
	w = words_of(&s);
	words_add(&w, "head");
	words_add(&w, "-c");
	words_addf(&w, "%" PRIu64, trial_end(run));
	words_add(&w, run->input);
	return run_alone(run, &s, "profile", port_file(INPUT), &w, e);
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "balance.h"
#include "check/summary.h"
#include "doc/parts.h"
#include "doc/summary.h"
#include "file.h"
#include "prove.h"
#include "words.h"

/*
 * Returns the command that computes a checksum of records.  The checksum does
 * not depend on their order.
 */
static struct words
sum_words(const struct run *run, struct stage *s)
{
	struct words w = words_of(s);

	WORDS_ADD(&w, "hpcheck", "--sum");
	if (run->format_words != NULL)
		words_add_all(&w, (const char *const *)run->format_words);
	return w;
}

void
sum_dealt(struct run *run, struct stage *s)
{
	struct words w = sum_words(run, s);

	if (!run->stored)
		return;
	WORDS_ADD(&w, "--extents", "deal.jsonl", run->input);
	stage_run(s, stage_step(s, STEP_LAUNCHER, "sum"), port_none(),
	    port_file("given.jsonl"), &w);
}

void
sum_dealt_to(struct run *run, struct stage *s, size_t rank)
{
	struct words w = sum_words(run, s);

	if (!run->stored)
		return;
	WORDS_ADD(&w, "--extents", "deal.jsonl", "-N");
	words_addf(&w, "%zu", rank);
	words_add(&w, run->input);
	stage_run(s, stage_step(s, STEP_LAUNCHER, "sum"), port_none(),
	    port_file(nth(s, "given", rank)), &w);
}

void
sum_in_place_step(struct run *run, struct stage *s, size_t rank)
{
	struct words w = sum_words(run, s);

	if (!run->stored)
		return;
	part_words(run, s, rank, &w);
	stage_run(s, stage_step(s, (int)rank, "sum"), port_none(),
	    port_file(nth(s, "given", rank)), &w);
}

bool
sums_in_exchange(const char *file)
{
	return strcmp(file, "run") == 0;
}

void
sums_words(const struct run *run, struct words *w, const char *dir)
{
	words_add(w, "--sums");
	words_addf(
	    w, "%s%ssums", dir != NULL ? dir : "", dir != NULL ? "/" : "");
	words_add_all(w, (const char *const *)run->format_words);
}

void
sums_get(struct stage *s, struct step *step)
{
	stage_get(s, step, "sums", 0, ACTION_TO_END,
	    port_file(nth(s, "sums", (size_t)step->rank)), 0);
}

void
sum_sent_step(struct run *run, struct stage *s, size_t rank, const char *file)
{
	struct words w = sum_words(run, s);

	words_add(&w, file);
	stage_run(s, stage_step(s, (int)rank, "sum"), port_none(),
	    port_file(nth(s, "sums", rank)), &w);
}

void
dropped_get(
    struct run *run, struct stage *s, struct step *step, const char *file)
{
	const char *name = stage_text(s, "dropped-%s", file);

	if (drops_proven(run))
		stage_get(s, step, name, 0, ACTION_TO_END,
		    port_file(nth(s, name, (size_t)step->rank)), 0);
}

void
prove_step(struct run *run, struct stage *s, size_t rank)
{
	struct step *step = stage_step(s, (int)rank, "prove");
	struct words w = ordered(run, s, "hpcheck", NULL);

	/*
	 * With psop, a node has several parts of the result, each with its own
	 * summary.
	 */
	if (run->o.algorithm == DEMAND_PSOP) {
		WORDS_ADD(&w, "--extents", "-", "-N");
		words_addf(&w, "%zu", rank);
	}
	words_add(&w, result_file(run, rank));
	stage_run(s, step,
	    run->o.algorithm == DEMAND_PSOP ? port_file("parts.jsonl")
					    : port_none(),
	    port_file(nth(s, "summary", rank)), &w);
	/*
	 * If the records are out of order, this step does not fail.  The order
	 * is checked when the summaries of all nodes are combined.
	 */
	step->asks = run->o.leave == NULL;
}

static void
say_differing(void *context, const char *line)
{
	run_say(context, "%s", line);
}

/*
 * Compares checksums, or in a dry run prints the command that compares them.
 * `by` and `text` are those of balance.h.
 */
static int
compare(struct run *run, struct stage *s, const struct words *sums,
    const char *by, const char *text, struct hp_err *e)
{
	struct words w = do_words(s, "compare");
	int rc;

	WORDS_ADD(&w, by, text);
	words_add_all(&w, sums->v);
	words_add(&w, "--");
	for (size_t i = 0; i < run->nodes; i++)
		words_add(&w, run->node[i].name);
	if (run->o.dry)
		return run_alone(run, s, "prove", port_none(), &w, e);
	rc = s->nomem ? hp_fail_errno(e, HP_NOMEM, "sums")
		      : balance(w.v + 3, say_differing, run, e);
	stage_fini(s);
	return rc == 1 ? run_not_proven(run, e) : rc;
}

int
prove_sent(struct run *run, const char *file, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	if (run->o.in_place != NULL || sorts_first(run))
		across(run, "given", &w);
	else
		words_add(&w, "given.jsonl");
	words_add(&w, "--");
	across(run, "sums", &w);
	if (drops_proven(run) && strcmp(file, "run") == 0)
		across(run, "dropped-run", &w);
	return compare(run, &s, &w, "from",
	    stage_text(
		&s, "the records in %s are not those given to the node", file),
	    e);
}

/*
 * Proves that the result of each node has exactly the records that were sent to
 * the node.
 */
static int
prove_received(struct run *run, struct hp_err *e)
{
	bool by_node = begins_with_sort(run);
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	if (divides_by_key(run))
		words_add(&w, "given.jsonl");
	else
		across(run, "sums", &w);
	words_add(&w, "--");
	across(run, "summary", &w);
	if (drops_proven(run))
		across(run, "dropped-out", &w);
	return compare(run, &s, &w, by_node ? "to" : "all",
	    by_node ? "the records in out are not those sent to the node"
		    : "the records in out are not those sent",
	    e);
}

/*
 * Writes the summaries of all parts to proven.jsonl, in the order of the
 * result.  Also adds the number of records of each part to parts.jsonl.
 */
static int
join_summaries(const char *const *file, struct hp_err *e)
{
	struct parts l = { 0 };
	struct summary *s = NULL;
	struct file_out f;
	int rc = doc_parts_read("parts.jsonl", &l, e);

	if (rc == 0 && (s = calloc(l.n + 1, sizeof *s)) == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "summaries");
	for (uint64_t rank = 0; rc == 0 && file[rank] != NULL; rank++)
		rc = doc_summaries_match(file[rank], rank, &l, s, e);
	if (rc == 0 && (rc = file_begin(&f, "proven.jsonl", e)) == 0) {
		for (size_t i = 0; rc == 0 && i < l.n; i++)
			rc = doc_summary_write(f.file, &s[i], e);
		rc = file_end(&f, rc, e);
	}
	if (rc == 0)
		rc = file_parts(&l, e);
	for (size_t i = 0; s != NULL && i < l.n; i++)
		summary_fini(&s[i]);
	free(s);
	parts_fini(&l);
	return rc;
}

int
proven_do(char *words[], struct hp_err *e)
{
	return join_summaries((const char *const *)words, e);
}

static int
prove_joined(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = do_words(&s, "proven");
	across(run, "summary", &w);
	return run_do(run, &s, "prove", &w, join_summaries, e);
}

static int
prove_order(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = ordered(run, &s, "hpcheck", NULL);
	WORDS_ADD(&w, "--combine", "proven.jsonl");
	return run_alone(run, &s, "prove", port_file("whole"), &w, e);
}

int
prove_parts(struct run *run, struct hp_err *e)
{
	if (run->stored && prove_received(run, e) == -1)
		return -1;
	if (prove_joined(run, e) == -1)
		return -1;
	return prove_order(run, e);
}

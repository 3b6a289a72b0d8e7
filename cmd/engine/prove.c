#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/summary.h"
#include "doc/parts.h"
#include "doc/summary.h"
#include "file.h"
#include "prove.h"
#include "words.h"

/* Sums up records, in whatever order they come. */
static struct words
sum_words(const struct run *run, struct stage *s)
{
	struct words w = words_of(s);

	words_add(&w, "hpcheck");
	words_add(&w, "--sum");
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
	words_add(&w, "--extents");
	words_add(&w, "deal.jsonl");
	words_add(&w, run->input);
	stage_run(s, stage_step(s, STEP_LAUNCHER, "sum"), port_none(),
	    port_file("given.jsonl"), &w);
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

void
sum_sent_step(struct run *run, struct stage *s, size_t rank, const char *file)
{
	struct words w = sum_words(run, s);

	/* The cut file has too many parts for a sum of each. */
	if (strcmp(file, "run") == 0) {
		words_add(&w, "--extents");
		words_add(&w, "extents");
	}
	words_add(&w, file);
	stage_run(s, stage_step(s, (int)rank, "sum"), port_none(),
	    port_file(nth(s, "sums", rank)), &w);
}

void
prove_step(struct run *run, struct stage *s, size_t rank)
{
	struct step *step = stage_step(s, (int)rank, "prove");
	struct words w = ordered(run, s, "hpcheck", NULL);

	/* With psop a node has several parts of the result. */
	if (run->o.algorithm == ALGORITHM_PSOP) {
		words_add(&w, "--extents");
		words_add(&w, "-");
		words_add(&w, "-N");
		words_addf(&w, "%zu", rank);
	}
	words_add(&w, run_result(run, rank));
	stage_run(s, step,
	    run->o.algorithm == ALGORITHM_PSOP ? port_file("parts.jsonl")
					       : port_none(),
	    port_file(nth(s, "summary", rank)), &w);
	/* Disorder is judged with that of the parts together. */
	step->asks = run->o.leave == NULL;
}

/* Records and their checksum on both sides, of one node or of all. */
struct balance {
	uint64_t records[2];
	struct sum checksum[2];
};

static void
weigh(struct balance *b, int side, const struct part_sum *p)
{
	b->records[side] += p->records;
	sum_add(&b->checksum[side], &p->checksum);
}

static bool
even(const struct balance *b)
{
	return b->records[0] == b->records[1] &&
	    memcmp(&b->checksum[0], &b->checksum[1], sizeof b->checksum[0]) ==
	    0;
}

enum by {
	BY_FROM, /* who told it */
	BY_TO,	 /* whose it is */
	BY_ALL
};

/* Adds the sums of one side; -1 if one is of no node. */
static int
weigh_all(struct balance *b, size_t nodes, int side, enum by by,
    const struct part_sums *l, struct hp_err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct part_sum *p = &l->v[i];
		uint64_t rank = by == BY_ALL ? 0
		    : by == BY_TO	     ? p->to
					     : p->from;

		if (rank >= nodes)
			return hp_fail(
			    e, HP_INPUT, "a sum is of no node of this run");
		weigh(&b[rank], side, p);
	}
	return 0;
}

/*
 * Compares the two sides, and says which nodes differ.  HP_INPUT if any does.
 */
static int
compare(struct run *run, const struct part_sums *left,
    const struct part_sums *right, enum by by, const char *text,
    struct hp_err *e)
{
	struct balance *b = calloc(run->nodes, sizeof *b);
	bool differs = false;
	int rc = -1;

	if (b == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sums");
	if (weigh_all(b, run->nodes, 0, by, left, e) == -1 ||
	    weigh_all(b, run->nodes, 1, by, right, e) == -1)
		goto out;
	for (size_t i = 0; i < run->nodes; i++) {
		if (even(&b[i]))
			continue;
		differs = true;
		run_say(run, "%s: %s",
		    by == BY_ALL ? "all nodes" : run->node[i].name, text);
	}
	rc = differs ? run_not_proven(run, e) : 0;
out:
	free(b);
	return rc;
}

static int
read_sums(
    struct run *run, const char *prefix, struct part_sums *l, struct hp_err *e)
{
	char name[64];

	for (size_t i = 0; i < run->nodes; i++) {
		snprintf(name, sizeof name, "%s.%zu", prefix, i);
		if (doc_sums_read(name, i, l, e) == -1)
			return -1;
	}
	return 0;
}

/* What each node was given: told by itself, or by extents of the input. */
static int
read_given(struct run *run, struct part_sums *l, struct hp_err *e)
{
	if (run->o.in_place != NULL)
		return read_sums(run, "given", l, e);
	if (doc_sums_read("given.jsonl", 0, l, e) == -1)
		return -1;
	for (size_t i = 0; i < l->n; i++)
		l->v[i].from = l->v[i].to;
	return 0;
}

int
prove_sent(struct run *run, const char *file, struct hp_err *e)
{
	struct part_sums given = { 0 }, sent = { 0 };
	char text[96];
	int rc = -1;

	/* Of equal records only one is left in a run. */
	if (run->o.dry || (run->o.order.unique && strcmp(file, "run") == 0))
		return 0;
	snprintf(text, sizeof text,
	    "what is in %s is not what the node was given", file);
	if (read_given(run, &given, e) == 0 &&
	    read_sums(run, "sums", &sent, e) == 0)
		rc = compare(run, &given, &sent, BY_FROM, text, e);
	part_sums_fini(&given);
	part_sums_fini(&sent);
	return rc;
}

/* What is in the result is what was sent there. */
static int
prove_received(struct run *run, struct hp_err *e)
{
	bool by_node = run->o.algorithm == ALGORITHM_EXACT ||
	    run->o.algorithm == ALGORITHM_PSRS;
	struct part_sums sent = { 0 }, result = { 0 };
	int rc = -1;

	if (read_sums(run, "sums", &sent, e) == 0 &&
	    read_sums(run, "summary", &result, e) == 0) {
		for (size_t i = 0; i < result.n; i++)
			result.v[i].to = result.v[i].from;
		rc = compare(run, &sent, &result, by_node ? BY_TO : BY_ALL,
		    by_node ? "what is in out is not what the node was sent"
			    : "what is in out is not what was sent",
		    e);
	}
	part_sums_fini(&sent);
	part_sums_fini(&result);
	return rc;
}

/* The summaries of the parts, in the order of the result, as proven.jsonl. */
static int
join_summaries(struct run *run, struct parts *l, struct hp_err *e)
{
	struct summary *s = calloc(l->n + 1, sizeof *s);
	char name[64];
	int rc = 0;

	if (s == NULL)
		return hp_fail_errno(e, HP_NOMEM, "summaries");
	for (size_t i = 0; rc == 0 && i < run->nodes; i++) {
		snprintf(name, sizeof name, "summary.%zu", i);
		rc = doc_summaries_match(name, i, l, s, e);
	}
	if (rc == 0) {
		struct file_out f;

		if ((rc = file_begin(&f, "proven.jsonl", e)) == 0) {
			for (size_t i = 0; rc == 0 && i < l->n; i++)
				rc = doc_summary_write(f.file, &s[i], e);
			rc = file_end(&f, rc, e);
		}
	}
	for (size_t i = 0; i < l->n; i++)
		summary_fini(&s[i]);
	free(s);
	return rc;
}

static int
prove_order(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = ordered(run, &s, "hpcheck", NULL);
	words_add(&w, "--combine");
	words_add(&w, "proven.jsonl");
	return run_alone(run, &s, "prove", port_file("whole"), &w, e);
}

int
prove_parts(struct run *run, struct hp_err *e)
{
	struct parts l = { 0 };
	int rc = -1;

	if (run->o.dry)
		return 0;
	/* With -u records vanish between what was sent and the result. */
	if (run->stored && !run->o.order.unique && prove_received(run, e) == -1)
		return -1;
	if (doc_parts_read("parts.jsonl", &l, e) == 0 &&
	    join_summaries(run, &l, e) == 0 && file_parts(&l, e) == 0)
		rc = prove_order(run, e);
	parts_fini(&l);
	return rc;
}

#include <stdlib.h>

#include "batches.h"
#include "collect.h"
#include "direct.h"
#include "exchange.h"
#include "first.h"
#include "gather.h"
#include "memory.h"
#include "print.h"
#include "printed.h"
#include "prove.h"
#include "sumtap.h"
#include "words.h"

/*
 * Adds the step that sorts a node's part of the input.  A host sorts its part
 * while it arrives, so the host need not store it.
 */
static void
sort_step(struct run *run, struct stage *s, size_t rank, struct sumtap *sums)
{
	struct step *step = stage_step(s, (int)rank, "sort");
	struct words w = ordered(run, s, "hpsort", NULL);
	struct port in = part_port(run, rank);
	struct action *sort;

	if (sums != NULL)
		in.tap = &sums->tap;
	in.paced = !run->unpaced;
	memory_words(run, rank, 0, &w);
	WORDS_ADD(&w, "-o", "run");
	dropped_words(run, "run", &w);
	if (in.kind == PORT_NONE)
		part_words(run, s, rank, &w);
	else
		step->sending = "send";
	sort = stage_run(s, step, in, port_none(), &w);
	if (run->o.dry && in.kind != PORT_NONE)
		print_send(s, rank, run->input, sort);
	dropped_get(run, s, step, "run");
}

int
sort_parts(struct run *run, size_t only, struct hp_err *e)
{
	struct sumtap *sums = calloc(run->nodes, sizeof *sums);
	struct stage s;
	int rc;

	if (sums == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sums");
	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		bool passes = !run->o.dry &&
		    part_port(run, i).kind != PORT_NONE;

		if (only != ALL_NODES && i != only)
			continue;
		if (passes)
			sumtap_init(&sums[i], &run->o.order, "given", i);
		sort_step(run, &s, i, passes ? &sums[i] : NULL);
	}
	for (size_t i = 0; i < run->nodes && run->o.in_place == NULL; i++)
		if ((only == ALL_NODES || i == only) &&
		    sums[i].tap.pass == NULL)
			sum_dealt_to(run, &s, i);
	rc = run_stage(run, &s, e);
	for (size_t i = 0; i < run->nodes; i++)
		sumtap_fini(&sums[i]);
	free(sums);
	return rc;
}

int
sort_runs(struct run *run, struct hp_err *e)
{
	if (run->batched)
		return batches_sort(run, e);
	if (sort_parts(run, ALL_NODES, e) == -1)
		return -1;
	return remove_input(run, e);
}

int
sample_runs(struct run *run, enum sample_from from, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = split_words(
		    run, &s, "sample", from == SAMPLE_PLAN ? "-P" : "-L", i);

		words_add(&w, "run");
		stage_run(&s, stage_step(&s, (int)i, "sample"),
		    port_file(
			from == SAMPLE_PLAN ? "plan.jsonl" : "sublists.jsonl"),
		    port_file(nth(&s, "candidates", i)), &w);
	}
	return run_stage(run, &s, e);
}

int
join_candidates(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = cat_words(run, &s);
	across(run, "candidates", &w);
	return run_alone(run, &s, "setup", port_file("probes.jsonl"), &w, e);
}

int
count_runs(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = split_words(run, &s, "count", "-L", i);

		WORDS_ADD(&w, "--sorted", "run");
		stage_run(&s, stage_step(&s, (int)i, "count"),
		    port_file("probes.jsonl"), port_file(nth(&s, "counts", i)),
		    &w);
	}
	return run_stage(run, &s, e);
}

int
cut_runs(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = split_words(run, &s, "cut", "-L", i);
		struct words old = words_of(&s);
		struct step *step = stage_step(&s, (int)i, "cut");

		/*
		 * Remove the trace of an earlier exchange: it would make the
		 * next exchange step look complete.
		 */
		words_add(&old, "trace");
		if (!run->direct)
			stage_files(&s, step, ACT_REMOVE, &old);
		WORDS_ADD(&w, "--extents", "run");
		stage_run(&s, step, port_file("sublists.jsonl"),
		    run->direct ? port_file(nth(&s, "extents", i))
				: port_node("extents"),
		    &w);
	}
	return run_stage(run, &s, e);
}

/*
 * Adds the step that merges a node's part of the result.  Its inputs are the
 * received files or, without an exchange, extents of the sorted files of all
 * nodes.  The output goes directly into the result if the offset of the part is
 * known.  A host may instead write it to its standard output, which the
 * launcher collects.
 */
static void
merge_step(struct run *run, struct stage *s, size_t rank,
    const struct node_runs *runs, const struct collect *c)
{
	struct step *step = stage_step(s, (int)rank, "merge");
	struct words w = ordered(run, s, "hpmerge", NULL);

	/*
	 * The received files contain all records of this node, so its own
	 * sorted file is not needed any more.
	 */
	free_room(run, s, step, "run");
	if (run->placed) {
		memory_words(run, rank, 0, &w);
		direct_place(run, s, runs, rank, &w);
	} else if (collects(run, rank))
		memory_words(run, rank, 0, &w);
	else
		result_words(run, rank, &w);
	if (run->direct)
		direct_words(run, s, runs, rank, &w);
	else
		across(run, "from", &w);
	if (collects(run, rank)) {
		step->returning = "gather";
		stage_run(s, step, port_none(), collect_port(run, c, rank), &w);
		return;
	}
	stage_run(s, step, port_none(), port_none(), &w);
	if (run->placed)
		return;
	dropped_get(run, s, step, "out");
	stage_size(s, step, result_file(run, rank));
}

int
merge_parts(struct run *run, size_t only, struct hp_err *e)
{
	struct collect c = { 0 };
	struct node_runs runs = { 0 };
	struct stage s;
	int rc = 0;

	if (run->direct)
		rc = direct_read(run, &runs, e);
	if (rc == 0 && run->collected)
		rc = collect_begin(run, &c, e);
	if (rc == -1)
		goto out;
	stage_init(&s);
	for (size_t i = 0; i < run->nodes && !run->stored && !run->direct; i++)
		exchange_step(run, &s, i, "run", true);
	for (size_t i = 0; i < run->nodes; i++)
		if (only == ALL_NODES || i == only)
			merge_step(run, &s, i, &runs, &c);
	rc = gather_pieces(run, &s, e);
	if (rc == 0 && run->collected && only == ALL_NODES)
		rc = collect_end(run, &c, e);
out:
	collect_fini(&c);
	direct_fini(&runs);
	return rc;
}

int
merge_runs(struct run *run, struct hp_err *e)
{
	if (cut_runs(run, e) == -1 ||
	    ((run->placed || run->collected) &&
		gather_begin(run, run->beside, e) == -1))
		return -1;
	if (run->stored && exchange_files(run, "run", e) == -1)
		return -1;
	if (!run->stored && !run->direct &&
	    make_fifos(run, NULL, true, e) == -1)
		return -1;
	if (merge_parts(run, ALL_NODES, e) == -1)
		return -1;
	return remove_files(run, e);
}

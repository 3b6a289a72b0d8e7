#include "exchange.h"
#include "gather.h"
#include "last.h"
#include "pivots.h"
#include "memory.h"
#include "prove.h"
#include "words.h"

int
sample_parts(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = split_words(run, &s, "sample", "-P", i);

		part_words(run, &s, i, &w);
		stage_run(&s, stage_step(&s, (int)i, "sample"),
		    port_file("plan.jsonl"),
		    port_file(nth(&s, "candidates", i)), &w);
	}
	return run_stage(run, &s, e);
}

int
count_parts(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = split_words(run, &s, "count", "-L", i);

		part_words(run, &s, i, &w);
		stage_run(&s, stage_step(&s, (int)i, "count"),
		    port_file("sublists.jsonl"),
		    port_file(nth(&s, "counts", i)), &w);
	}
	return run_stage(run, &s, e);
}

int
assign_sublists(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	WORDS_ADD(&w, "hpsplit", "assign", "-C",
	    run->probed ? "learned.jsonl" : "cluster.jsonl", "-L",
	    "sublists.jsonl");
	across(run, "counts", &w);
	if (run_alone(run, &s, "assign", port_file("assigned.jsonl"), &w, e) ==
	    -1)
		return -1;
	return adopt_sublists(run, "assigned.jsonl", e);
}

/*
 * Adds the step that cuts a node's part of the input into sublists.  If the
 * sublists are stored, a host then removes the part that it was sent.
 */
static void
cut_step(struct run *run, struct stage *s, size_t rank)
{
	struct step *step = stage_step(s, (int)rank, "cut");
	struct words w = split_words(run, s, "cut", "-L", rank);
	struct words old = words_of(s), in = words_of(s);
	bool sent = run->node[rank].host != NULL &&
	    run->node[rank].in == NULL && run->o.keep == NULL;

	if (run->stored) {
		words_add(&old, "trace");
		stage_files(s, step, ACT_REMOVE, &old);
		WORDS_ADD(&w, "--extents", "-o", "cut");
		if (sent)
			stage_skip_if(s, step, "cut", "");
	}
	part_words(run, s, rank, &w);
	stage_run(s, step, port_file("sublists.jsonl"),
	    port_node(run->stored ? "extents" : "stream"), &w);
	if (run->stored && sent) {
		words_add(&in, "in");
		stage_files(s, step, ACT_REMOVE, &in);
	}
}

static void
sort_step(struct run *run, struct stage *s, size_t rank, bool sources)
{
	struct step *step = stage_step(s, (int)rank, "sort");
	struct words w = ordered(run, s, "hpsort", NULL);

	free_room(run, s, step, "cut");
	result_words(run, rank, &w);
	if (sources)
		across(run, "from", &w);
	else
		words_add(&w, "from");
	stage_run(s, step, port_none(), port_none(), &w);
	dropped_get(run, s, step, "out");
	/*
	 * With psop a node has several parts of the result, which find_sublists
	 * measures.
	 */
	if (run->o.algorithm != DEMAND_PSOP)
		stage_size(s, step, result_file(run, rank));
}

static int
cut_to_files(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++)
		cut_step(run, &s, i);
	if (run_stage(run, &s, e) == -1)
		return -1;
	return exchange_files(run, "cut", e);
}

int
sort_sublists(struct run *run, struct hp_err *e)
{
	/*
	 * A separate file for the records from each node keeps equal records in
	 * the order of the input.
	 */
	bool sources = run->stored || run->o.order.stable ||
	    run->o.order.unique;
	struct stage s;

	if (run->stored ? cut_to_files(run, e) == -1
			: make_fifos(run, "stream", sources, e) == -1)
		return -1;
	stage_init(&s);
	for (size_t i = 0; i < run->nodes && !run->stored; i++) {
		cut_step(run, &s, i);
		exchange_step(run, &s, i, NULL, sources);
	}
	for (size_t i = 0; i < run->nodes; i++)
		sort_step(run, &s, i, sources);
	if (gather_pieces(run, &s, e) == -1 || remove_input(run, e) == -1)
		return -1;
	return run->stored ? remove_files(run, e) : 0;
}

int
find_sublists(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		/*
		 * With -u, sublists have fewer records than counted, because
		 * duplicates were dropped.  `hpsplit deal` relies on the
		 * counts; `hpsplit cut` finds sublists by their keys.
		 */
		struct words w = split_words(
		    run, &s, run->o.order.unique ? "cut" : "deal", "-L", i);

		if (run->o.order.unique)
			words_add(&w, "--extents");
		words_add(&w, result_file(run, i));
		stage_run(&s, stage_step(&s, (int)i, "deal"),
		    port_file("sublists.jsonl"),
		    port_file(nth(&s, "pieces", i)), &w);
	}
	return run_stage(run, &s, e);
}

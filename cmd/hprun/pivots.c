#include <stdio.h>

#include "pivots.h"
#include "words.h"

static struct words
pivot_words(struct run *run, struct stage *s)
{
	struct words w = ordered(run, s, "hpsplit", "pivots");

	words_add(&w, "-a");
	words_add(&w, demand_name(run->o.algorithm));
	words_add(&w, "-P");
	words_add(&w, "plan.jsonl");
	return w;
}

int
choose_pivots(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = pivot_words(run, &s);
	across(run, "candidates", &w);
	return run_alone(run, &s, "pivots", port_file("sublists.jsonl"), &w, e);
}

int
adopt_sublists(struct run *run, const char *file, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	stage_rename(
	    &s, stage_step(&s, STEP_LAUNCHER, "setup"), file, "sublists.jsonl");
	return run_stage(run, &s, e);
}

static int
exact_pivots(struct run *run, bool refine, bool *found, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = pivot_words(run, &s);
	if (run->o.dry)
		words_add(&w,
		    late(run, &s, NULL, "${refine:+--refine sublists.jsonl}"));
	else if (refine) {
		words_add(&w, "--refine");
		words_add(&w, "sublists.jsonl");
	}
	words_add(&w, "probes.jsonl");
	across(run, "counts", &w);
	return run_ask(
	    run, &s, "pivots", port_file("next.jsonl"), &w, found, e);
}

int
until_exact(struct run *run, int (*narrow)(struct run *, struct hp_err *),
    struct hp_err *e)
{
	bool found, refine = false;

	if (run->o.dry) {
		puts("refine=\nuntil");
		if (exact_pivots(run, refine, &found, e) == -1)
			return -1;
		puts("do [ $? -eq 1 ] || exit\nrefine=yes");
		if (narrow(run, e) == -1)
			return -1;
		puts("done");
		return 0;
	}
	for (;; refine = true) {
		if (exact_pivots(run, refine, &found, e) == -1)
			return -1;
		if (found)
			return 0;
		if (narrow(run, e) == -1)
			return -1;
	}
}

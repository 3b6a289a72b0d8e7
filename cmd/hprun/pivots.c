#include <inttypes.h>
#include <stdio.h>

#include "pivots.h"
#include "share/rounds.h"
#include "words.h"

static struct words
pivot_words(struct run *run, struct stage *s)
{
	struct words w = ordered(run, s, "hpsplit", "pivots");

	WORDS_ADD(&w, "-a", demand_name(run->o.algorithm), "-P", "plan.jsonl");
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

/*
 * Returns whether there are so few records that all of them are candidates.
 * The candidates then give exact pivots without any counting.
 */
static bool
has_few(const struct run *run)
{
	return run->o.dry || run->records <= rounds_whole(run->nodes);
}

static int
pivots_of_few(struct run *run, bool *found, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	if (run->o.dry)
		printf("if [ %s -gt %" PRIu64 " ] ||\n! ",
		    record_count(run, &s) + 1, rounds_whole(run->nodes));
	w = pivot_words(run, &s);
	across(run, "candidates", &w);
	return run_ask(
	    run, &s, "pivots", port_file("next.jsonl"), &w, found, e);
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
		WORDS_ADD(&w, "--refine", "sublists.jsonl");
	}
	words_add(&w, "probes.jsonl");
	across(run, "counts", &w);
	return run_ask(
	    run, &s, "pivots", port_file("next.jsonl"), &w, found, e);
}

static int
print_rounds(struct run *run, int (*count)(struct run *, struct hp_err *),
    int (*narrow)(struct run *, struct hp_err *), struct hp_err *e)
{
	bool found;

	puts("then");
	if (count(run, e) == -1)
		return -1;
	puts("refine=\nuntil");
	if (exact_pivots(run, false, &found, e) == -1)
		return -1;
	puts("do [ $? -eq 1 ] || exit\nrefine=yes");
	if (narrow(run, e) == -1)
		return -1;
	puts("done\nfi");
	return 0;
}

int
until_exact(struct run *run, int (*count)(struct run *, struct hp_err *),
    int (*narrow)(struct run *, struct hp_err *), struct hp_err *e)
{
	bool found = false, refine = false;

	if (has_few(run) && pivots_of_few(run, &found, e) == -1)
		return -1;
	if (run->o.dry)
		return print_rounds(run, count, narrow, e);
	if (!found && count(run, e) == -1)
		return -1;
	for (int round = 0; !found; refine = true) {
		if (round++ == ROUNDS_LIMIT)
			return hp_fail(e, HP_INPUT,
			    "no pivots after %d rounds: a node counts its "
			    "records wrongly",
			    ROUNDS_LIMIT);
		if ((refine && narrow(run, e) == -1) ||
		    exact_pivots(run, refine, &found, e) == -1)
			return -1;
	}
	return 0;
}

#include <inttypes.h>
#include <stdlib.h>

#include "memory.h"
#include "profile_steps.h"
#include "words.h"

enum {
	STARTS = 3,
	PAUSE_S = 3
};

/*
 * Adds the command that hpprofile measures: the sort, with the options of the
 * real run.
 */
static void
sort_words(struct run *run, struct stage *s, size_t rank, struct words *w)
{
	struct words sort = ordered(run, s, "hpsort", NULL);

	words_add(w, "--");
	memory_words(run, rank, &sort);
	words_add_all(w, sort.v);
	words_add(w, "-o");
	words_add(w, "run");
	words_add(w, "{in}");
}

static struct words
profile_words(struct run *run, struct stage *s, size_t rank)
{
	struct words w = words_of(s), profile;

	words_add(&w, "env");
	words_add(&w, "TMPDIR=.");
	profile = ordered(run, s, "hpprofile", NULL);
	words_add_all(&w, profile.v);
	words_add(&w, "-N");
	words_add(&w, run->node[rank].name);
	return w;
}

static void
remove_run(struct stage *s, struct step *step)
{
	struct words files = words_of(s);

	words_add(&files, "run");
	stage_files(s, step, ACT_REMOVE, &files);
}

/*
 * Makes each node sort increasing sizes, for a third of the time of --profile.
 */
int
profile_measure(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct step *step;
		struct words w;

		if (run->node[i].measured)
			continue;
		step = stage_step(&s, (int)i, "profile");
		w = profile_words(run, &s, i);
		words_add(&w, "--seconds");
		words_addf(&w, "%" PRIu64 "e-3", run->o.profile_s * 1000 / 3);
		sort_words(run, &s, i, &w);
		stage_run(&s, step, port_none(),
		    port_file(nth(&s, "profile", i)), &w);
		remove_run(&s, step);
	}
	return run_stage(run, &s, e);
}

/*
 * Pauses before a sort, because in a real run nodes also wait for their input.
 * Virtual machines return memory that was free for 2 s to their host (Linux,
 * page_reporting.c).  Getting it back may take as long as the sort.
 */
static int
pause_all(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	words_add(&w, "sleep");
	words_addf(&w, "%d", PAUSE_S);
	return run_alone(run, &s, "profile", port_none(), &w, e);
}

/*
 * Makes every node sort its share in foreseen.jsonl once, all at the same time.
 */
int
profile_shares(struct run *run, const struct plan *plan, const char *prefix,
    struct hp_err *e)
{
	struct stage s;

	if (pause_all(run, e) == -1)
		return -1;
	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct port out = port_file(nth(&s, prefix, i));
		struct step *step;
		struct words w = words_of(&s), profile;

		if (run->node[i].measured ||
		    (plan != NULL && plan->share[i].n == 0))
			continue;
		out.append = true;
		step = stage_step(&s, (int)i, "profile");
		if (run->o.dry)
			words_addf(&w,
			    "%cn=\"$(sed -n 's/.*\"rank\":%zu,.*\"n\":"
			    "\\([1-9][0-9]*\\).*/\\1/p')\" && [ -z \"$n\" ] ||",
			    SHELL_WORD, i);
		profile = profile_words(run, &s, i);
		words_add_all(&w, profile.v);
		words_add(&w, "--runs");
		words_add(&w, "1");
		words_add(&w, "--sizes");
		words_add(&w,
		    late(run, &s,
			stage_text(&s, "%" PRIu64,
			    plan == NULL ? 0 : plan->share[i].n),
			"\"$n\""));
		sort_words(run, &s, i, &w);
		stage_run(&s, step,
		    run->o.dry ? port_file("foreseen.jsonl") : port_none(), out,
		    &w);
		remove_run(&s, step);
	}
	return run_stage(run, &s, e);
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Measures how long an empty step takes on each node: the median of a few
 * attempts.
 */
int
profile_starts(struct run *run, double *start, struct hp_err *e)
{
	double seconds[STARTS];
	struct stage s;
	struct words w;

	for (size_t i = 0; i < run->nodes && !run->o.dry; i++) {
		if (run->node[i].measured)
			continue;
		for (int try = 0; try < STARTS; try++) {
			struct step *step;
			int rc;

			stage_init(&s);
			s.passing = true;
			w = words_of(&s);
			words_add(&w, "true");
			step = stage_step(&s, (int)i, "setup");
			stage_run(&s, step, port_none(), port_none(), &w);
			rc = launcher_stage(
			    run->launcher, &s, &run->outcome, e);
			if (rc == 0 && step != NULL)
				seconds[try] = step->end_s - step->start_s;
			stage_fini(&s);
			if (rc == -1)
				return -1;
		}
		qsort(seconds, STARTS, sizeof *seconds, by_value);
		start[i] = seconds[STARTS / 2];
	}
	return 0;
}

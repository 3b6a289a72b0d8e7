#include <inttypes.h>
#include <stdlib.h>

#include "job/launcher_stage.h"
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
sort_words(struct run *run, struct stage *s, int rank, struct words *w)
{
	struct words sort = ordered(run, s, "hpsort", NULL);

	words_add(w, "--");
	if (rank != STEP_LAUNCHER)
		memory_words(run, (size_t)rank, 0, &sort);
	words_add_all(w, sort.v);
	WORDS_ADD(w, "-o", "run", "{in}");
}

static struct words
profile_words(struct run *run, struct stage *s, const char *name)
{
	struct words w = words_of(s), profile;

	WORDS_ADD(&w, "env", "TMPDIR=.");
	profile = ordered(run, s, "hpprofile", NULL);
	words_add_all(&w, profile.v);
	WORDS_ADD(&w, "-N", name);
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
		w = profile_words(run, &s, run->node[i].name);
		words_add(&w, "--seconds");
		words_addf(&w, "%" PRIu64 "e-3", run->o.profile_s * 1000 / 3);
		sort_words(run, &s, (int)i, &w);
		stage_run(&s, step, port_none(),
		    port_file(nth(&s, "profile", i)), &w);
		remove_run(&s, step);
	}
	return run_stage(run, &s, e);
}

int
profile_launcher(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct step *step;
	struct words w;

	stage_init(&s);
	step = stage_step(&s, STEP_LAUNCHER, "profile");
	w = profile_words(run, &s, "launcher");
	words_add(&w, "--seconds");
	words_addf(&w, "%" PRIu64 "e-3", run->o.profile_s * 1000 / 6);
	sort_words(run, &s, STEP_LAUNCHER, &w);
	stage_run(&s, step, port_none(), port_file("profile.launcher"), &w);
	remove_run(&s, step);
	return run_stage(run, &s, e);
}

int
profile_pause(struct run *run, struct hp_err *e)
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

	if (profile_pause(run, e) == -1)
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
		profile = profile_words(run, &s, run->node[i].name);
		words_add_all(&w, profile.v);
		WORDS_ADD(&w, "--runs", "1", "--sizes",
		    late(run, &s,
			stage_text(&s, "%" PRIu64,
			    plan == NULL ? 0 : plan->share[i].n),
			"\"$n\""));
		sort_words(run, &s, (int)i, &w);
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

static int
empty_step(struct run *run, size_t rank, double *seconds, struct hp_err *e)
{
	struct step *step;
	struct stage s;
	struct words w;
	int rc;

	stage_init(&s);
	s.passing = true;
	w = words_of(&s);
	words_add(&w, "true");
	step = stage_step(&s, (int)rank, "setup");
	stage_run(&s, step, port_none(), port_none(), &w);
	rc = launcher_stage(run->launcher, &s, &run->outcome, e);
	if (rc == 0 && step != NULL)
		*seconds = step->end_s - step->start_s;
	stage_fini(&s);
	return rc;
}

int
profile_start(struct run *run, size_t rank, double *start, struct hp_err *e)
{
	double seconds[STARTS];

	for (int try = 0; try < STARTS; try++)
		if (empty_step(run, rank, &seconds[try], e) == -1)
			return -1;
	qsort(seconds, STARTS, sizeof *seconds, by_value);
	*start = seconds[STARTS / 2];
	return 0;
}

int
profile_starts(struct run *run, double *start, struct hp_err *e)
{
	for (size_t i = 0; i < run->nodes && !run->o.dry; i++)
		if (!run->node[i].measured &&
		    profile_start(run, i, &start[i], e) == -1)
			return -1;
	return 0;
}

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doc/trace.h"
#include "profile_steps.h"
#include "trial_run.h"
#include "words.h"

enum {
	PAUSES_FROM_S = 10 /* a shorter --profile has no pauses */
};

/* Files in the work directory. */
#define OUTPUT "trial.out"
#define TRACE "trial.trace"
#define MESSAGES "trial.messages"

/* The ends of the stages of a run, in seconds since 1970. */
struct ends {
	const struct run *run;
	struct trial_run *to;
	double login_s;	 /* longest login */
	double divide_s; /* time in which the input was divided */
	size_t sorts;	 /* number of sorts */
	double sends_s;	 /* start of the first transfer; 0: there was none */
	double planned_s, sent_s, sorted_s, cut_s, exchanged_s, returned_s;
};

int
trial_do(char *words[], struct hp_err *e)
{
	int fd;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(e, HP_USAGE, "trial FILE COMMAND...");
	fd = open(words[0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd == -1 || dup2(fd, STDERR_FILENO) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[0]);
	execvp(words[1], words + 1);
	return hp_fail_errno(e, HP_IO, "%s", words[1]);
}

static void
option(struct words *w, const char *name, const char *value)
{
	if (value == NULL)
		return;
	words_add(w, name);
	words_add(w, value);
}

static const char *
output(const struct run *run)
{
	return run->beside != NULL ? run->beside : OUTPUT;
}

/* Returns the command: a sort with the options of this run. */
static struct words
command(struct run *run, const struct trial_run *t, struct stage *s)
{
	struct words w = do_words(s, "trial");

	words_add(&w, MESSAGES);
	words_add(&w, "hprun");
	words_add_all(&w, (const char *const *)run->order_words);
	option(
	    &w, "-a", demand_name(t->range ? DEMAND_RANGE : run->o.algorithm));
	option(&w, "-C", t->cluster);
	option(&w, "-S", run->o.budget);
	option(&w, "-T", run->work);
	option(&w, "-o", output(run));
	option(&w, "--launch", run->o.launch);
	option(&w, "--method", run->o.method);
	option(&w, "--rsh", run->o.rsh);
	option(&w, "--transport", run->o.transport);
	option(&w, "--trace", TRACE);
	option(&w, "--without", t->without);
	words_add(&w, "--timeout");
	words_addf(&w, "%" PRIu64, run->o.timeout_s);
	if (run->o.threads != -1) {
		words_add(&w, "--threads");
		words_addf(&w, "%d", run->o.threads);
	}
	if (run->o.header > 0) {
		words_add(&w, "--header");
		words_addf(&w, "%" PRIu64, run->o.header);
	}
	words_add(&w, "--");
	words_add(&w, t->input);
	return w;
}

static void
later(double *end_s, double at_s)
{
	*end_s = fmax(*end_s, at_s);
}

static int
note_step(void *context, const struct trace_step *s, struct hp_err *e)
{
	struct ends *ends = context;
	size_t rank = 0;

	(void)e;
	while (rank < ends->run->nodes &&
	    strcmp(ends->run->node[rank].name, s->node) != 0)
		rank++;
	if (s->launcher && strcmp(s->name, "deal") == 0) {
		later(&ends->planned_s, s->end_s);
		ends->divide_s = s->end_s - s->start_s;
	} else if (strcmp(s->name, "send") == 0) {
		if (ends->sends_s == 0 || s->start_s < ends->sends_s)
			ends->sends_s = s->start_s;
		later(&ends->sent_s, s->end_s);
	} else if (strcmp(s->name, "sort") == 0 && rank < ends->run->nodes) {
		later(&ends->sorted_s, s->end_s);
		later(&ends->login_s, ends->run->facts[rank].login_s);
		ends->to->n[rank] += s->records;
		ends->to->fit.node[rank].rest = s->end_s - s->start_s;
		ends->sorts++;
	} else if (strcmp(s->name, "cut") == 0)
		later(&ends->cut_s, s->end_s);
	else if (strcmp(s->name, "exchange") == 0)
		later(&ends->exchanged_s, s->end_s);
	else if (strcmp(s->name, "merge") == 0 ||
	    strcmp(s->name, "gather") == 0)
		later(&ends->returned_s, s->end_s);
	return 0;
}

/* Shows why the run has failed. */
static void
say_messages(const struct run *run)
{
	FILE *f = fopen(MESSAGES, "re");
	char line[512];

	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		run_say(run, "trial: %s", line);
	}
	if (f != NULL)
		fclose(f);
}

/*
 * Stores the times of a run with range.  The time of the last sort includes
 * that of returning its records.
 */
static void
note_range(
    const struct run *run, struct trial_run *t, struct ends *x, double start_s)
{
	size_t nodes = 0;

	/* The input may have been divided before all logins had ended. */
	later(&x->planned_s, x->sends_s);
	for (size_t i = 0; i < run->nodes; i++)
		nodes += t->n[i] > 0;
	later(&x->returned_s, x->sorted_s);
	t->fit.gather = fmax(0, x->returned_s - x->planned_s);
	t->divide_s = x->divide_s;
	t->batched = x->sorts > nodes;
	/* Batches are divided while the launcher logs in. */
	if (t->batched)
		t->begin_s = fmax(
		    0, x->planned_s - start_s - fmax(x->divide_s, x->login_s));
}

int
trial_run(struct run *run, struct trial_run *t, struct hp_err *e)
{
	struct ends x = { .run = run, .to = t };
	struct step *step;
	struct stage s;
	struct words w;
	double start_s = 0, end_s = 0;
	int rc;

	unlink(TRACE);
	/*
	 * The run replaces the result of the one before it.  Freeing that takes
	 * time, which a run with a new output does not need.
	 */
	if (truncate(output(run), 0) == -1 && errno != ENOENT)
		return hp_fail_errno(e, HP_IO, "%s", output(run));
	for (size_t i = 0; i < run->nodes; i++)
		t->n[i] = 0;
	stage_init(&s);
	step = stage_step(&s, STEP_LAUNCHER, "profile");
	w = command(run, t, &s);
	stage_run(&s, step, port_none(), port_none(), &w);
	if ((rc = run_and_keep(run, &s, e)) == 0) {
		start_s = step->start_s;
		end_s = step->end_s;
	} else
		say_messages(run);
	stage_fini(&s);
	if (rc == -1 || doc_trace_each(TRACE, note_step, &x, e) == -1)
		return -1;
	t->begin_s = fmax(0, x.planned_s - start_s - x.login_s);
	t->fit.send = fmax(0, x.sent_s - x.planned_s);
	t->fit.pivots = fmax(0, x.cut_s - x.sorted_s);
	t->fit.exchange = fmax(0, x.exchanged_s - x.cut_s);
	t->fit.gather = fmax(0, x.returned_s - x.exchanged_s);
	if (t->range)
		note_range(run, t, &x, start_s);
	t->finish_s = fmax(0, end_s - x.returned_s);
	return 0;
}

static int
ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double
trial_median(double *seconds, size_t n)
{
	qsort(seconds, n, sizeof *seconds, ascending);
	return (seconds[(n - 1) / 2] + seconds[n / 2]) / 2;
}

int
trial_pause(struct run *run, struct hp_err *e)
{
	return run->o.profile_s >= PAUSES_FROM_S ? profile_pause(run, e) : 0;
}

#include <sys/ioctl.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/printable.h"
#include "progress.h"
#include "words.h"

void
progress_init(struct run *run)
{
	struct progress_state *p = &run->progress;
	const char *term = getenv("TERM");
	struct winsize size;

	if (isatty(STDERR_FILENO) && term != NULL && *term != '\0' &&
	    strcmp(term, "dumb") != 0)
		p->terminal = run->o.progress = true;
	if (getenv("NO_COLOR") != NULL)
		p->terminal = run->o.progress = false;
	p->columns = 80;
	if (p->terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col > 1)
		p->columns = size.ws_col;
}

void
progress_clear(const struct run *run)
{
	if (run->progress.terminal)
		fputs("\r\033[K", stderr);
}

void
progress_give_way(struct run *run)
{
	if (!isatty(STDOUT_FILENO))
		return;
	progress_clear(run);
	fflush(stderr);
	run->progress.terminal = run->o.progress = false;
}

/*
 * Prints a text with control characters escaped.  A terminal would obey control
 * characters in names.
 */
static void
put_printable(const char *text)
{
	size_t n = strlen(text);
	char *out = malloc(PRINTABLE(n));

	if (out != NULL)
		fputs(printable(text, n, out, PRINTABLE(n)), stderr);
	free(out);
}

void
progress_say(const struct run *run, const char *who, const char *text)
{
	progress_clear(run);
	put_printable(who);
	fputs(": ", stderr);
	put_printable(text);
	putc('\n', stderr);
}

/*
 * Returns whether the progress display counts steps of this name.  It counts
 * them if all records pass through such steps.
 */
static bool
counts(const struct run *run, const char *step)
{
	if (run->o.mode != MODE_SORT)
		return strcmp(step, "run") == 0;
	if (strcmp(step, "gather") == 0)
		return !batches_return(run);
	if (strcmp(step, "sort") == 0)
		return true;
	if (strcmp(step, "exchange") == 0)
		return !run->direct && !divides_by_key(run);
	if (divides_by_key(run) &&
	    (strcmp(step, "merge") == 0 || strcmp(step, "cut") == 0))
		return false;
	if (strcmp(step, sorts_first(run) ? "merge" : "cut") == 0)
		return true;
	if (strcmp(step, "send") == 0)
		return run->remote && run->o.in_place == NULL;
	return strcmp(step, "prove") == 0 && run->o.leave != NULL;
}

void
progress_measure(struct run *run)
{
	static const char *const steps[] = { "sort", "exchange", "gather",
		"merge", "cut", "send", "prove", "run" };
	struct progress_state *p = &run->progress;

	p->records = p->bytes = p->all = p->done = p->told = 0;
	for (size_t i = 0; i < run->nodes; i++) {
		p->records += run->node[i].share;
		p->bytes += run->node[i].bytes;
	}
	if (run->o.mode == MODE_COUNT)
		p->bytes = p->records;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (counts(run, steps[i]))
			p->all += p->bytes;
	p->began_s = clock_now_s();
}

/*
 * Returns the bytes that a step processes on this node.  They are in proportion
 * to the node's planned share.
 */
static uint64_t
work_of(const struct run *run, int rank)
{
	const struct progress_state *p = &run->progress;

	if (rank < 0 || p->records == 0)
		return 0;
	return (uint64_t)ceil((double)run->node[rank].share /
	    (double)p->records * (double)p->bytes);
}

static void
put_rate(
    const struct run *run, double rate, double left_s, char *text, size_t size)
{
	if (run->o.mode == MODE_COUNT)
		snprintf(
		    text, size, ", %.3g items/s, %.0f s left", rate, left_s);
	else
		snprintf(
		    text, size, ", %.1f MB/s, %.0f s left", rate / 1e6, left_s);
}

static void
put_text(const struct run *run, const char *step, uint64_t done)
{
	const struct progress_state *p = &run->progress;
	double seconds = clock_now_s() - p->began_s, rate;
	char text[160];
	int n = snprintf(text, sizeof text, "hprun: %s", step);

	if (done > p->all)
		/* a step that was repeated must not lead beyond 100% */
		done = p->all;
	if (p->all > 0) {
		rate = (double)done / (seconds < 1 ? 1 : seconds);
		n += snprintf(text + n, sizeof text - (size_t)n,
		    ", %" PRIu64 " %%", done * 100 / p->all);
		if (seconds >= 1 && rate > (double)p->all / 100000)
			put_rate(run, rate, (double)(p->all - done) / rate,
			    text + n, sizeof text - (size_t)n);
	}
	if (!p->terminal)
		fprintf(stderr, "%s\n", text);
	else
		fprintf(stderr, "\r\033[K%.*s", p->columns - 1, text);
	fflush(stderr);
}

/*
 * Returns whether the steps of this name belong to batches, which
 * progress_batch counts instead.
 */
static bool
is_of_batch(const struct run *run, const char *step)
{
	return run->batched &&
	    (strcmp(step, "sort") == 0 || strcmp(step, "send") == 0);
}

void
progress_batch(struct run *run, uint64_t bytes)
{
	run->progress.done += bytes;
}

void
progress_step(void *context, const struct step *step)
{
	struct run *run = context;
	struct progress_state *p = &run->progress;

	if (!run->o.progress || strcmp(step->name, "setup") == 0)
		return;
	if (counts(run, step->name) && !is_of_batch(run, step->name))
		p->done += work_of(run, step->rank);
	if (step->rank >= 0)
		run->node[step->rank].sent = strcmp(step->name, "send") == 0;
	put_text(run, step->name, p->done);
}

/*
 * Returns how many bytes of its work a running step has done.
 *   wrote  bytes written by its processes, and bytes that a command has
 *          read from the connection
 */
static uint64_t
running(const struct run *run, size_t rank, uint64_t wrote, const char *step)
{
	uint64_t most = work_of(run, (int)rank);
	uint64_t sent = run->node[rank].sent ? most : 0;

	if (strcmp(step, "sort") == 0 && part_port(run, rank).kind != PORT_NONE)
		most *= 2;
	if (wrote > most)
		wrote = most;
	return wrote > sent ? wrote - sent : 0;
}

void
progress_tick(void *context, const char *step, const uint64_t *wrote)
{
	struct run *run = context;
	struct progress_state *p = &run->progress;
	uint64_t done = p->done;

	if (!p->terminal || strcmp(step, "setup") == 0)
		return;
	/*
	 * Limit each step to its planned work.  In a job, count nothing: the
	 * bytes that a user's command writes do not show how far it is.
	 */
	for (size_t i = 0; i < run->nodes && run->o.mode == MODE_SORT &&
	     counts(run, step) && !is_of_batch(run, step);
	     i++)
		done += running(run, i, wrote[i], step);
	if (done > p->told)
		p->told = done;
	put_text(run, step, p->told);
}

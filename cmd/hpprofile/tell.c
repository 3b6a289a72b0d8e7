#include "tell.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	TOLD = 5 /* most sizes to name that missed the precision */
};

void
tell_progress(void *context, uint64_t n, unsigned run, double spent_s)
{
	(void)context;
	fprintf(stderr, "%s%ju items, run %u, %.0f s%s",
	    isatty(STDERR_FILENO) ? "\r" : "", (uintmax_t)n, run, spent_s,
	    isatty(STDERR_FILENO) ? "\033[K" : "\n");
	fflush(stderr);
}

bool
tell_wanted(const struct opts *o)
{
	return getenv("NO_COLOR") == NULL &&
	    (o->progress || isatty(STDERR_FILENO));
}

static void
tell_missed(const struct sample *m, double precision)
{
	const char *items = m->n == 1 ? "item" : "items";

	if (isinf(m->interval))
		warnx("%ju %s: precision unknown after a single run: allow "
		      "more --seconds or --runs",
		    (uintmax_t)m->n, items);
	else
		warnx("%ju %s: precision %.3g%% after %u runs, not %.3g%%: "
		      "allow more --seconds or --runs",
		    (uintmax_t)m->n, items, 100 * m->interval / m->seconds,
		    (unsigned)m->runs, 100 * precision);
}

void
tell_precision(const struct profile *p, const struct profile_opts *o)
{
	size_t missed = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		if (m->interval <= o->precision * m->seconds ||
		    (o->runs == 1 && isinf(m->interval)))
			continue;
		if (++missed <= TOLD)
			tell_missed(m, o->precision);
	}
	if (missed > TOLD)
		warnx("%zu other sizes miss the precision, too", missed - TOLD);
}

void
tell_end(const struct profile *p)
{
	uintmax_t largest = p->sample[p->n - 1].n;

	if (p->failed > 0)
		warnx("fails with %ju items (%s): capacity %ju",
		    (uintmax_t)p->failed, p->how, largest);
	if (p->untried > 0)
		warnx("cannot make %ju records: measured up to %ju",
		    (uintmax_t)p->untried, largest);
}

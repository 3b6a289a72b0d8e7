#include "tell.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* Names the size that misses the precision most, and counts the others. */
static void
tell_worst(const struct sample *m, size_t others, double precision)
{
	const char *items = m->n == 1 ? "item" : "items";
	char reached[64], rest[64] = "";

	if (isinf(m->interval))
		snprintf(reached, sizeof reached, "unknown after a single run");
	else
		snprintf(reached, sizeof reached,
		    "%.3g%% after %u runs, not %.3g%%",
		    100 * m->interval / m->seconds, (unsigned)m->runs,
		    100 * precision);
	if (others > 0)
		snprintf(rest, sizeof rest, " (%zu other size%s it, too)",
		    others, others == 1 ? " misses" : "s miss");
	warnx("%ju %s: precision %s: allow more --seconds or --runs%s",
	    (uintmax_t)m->n, items, reached, rest);
}

void
tell_precision(const struct profile *p, const struct profile_opts *o)
{
	const struct sample *worst = NULL;
	size_t missed = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		if (m->interval <= o->precision * m->seconds ||
		    (o->runs == 1 && isinf(m->interval)))
			continue;
		missed++;
		if (worst == NULL ||
		    m->interval * worst->seconds > worst->interval * m->seconds)
			worst = m;
	}
	if (worst != NULL)
		tell_worst(worst, missed - 1, o->precision);
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

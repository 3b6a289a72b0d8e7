#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "profile/measure.h"

/* seconds; replaces 0 from a coarse clock. */
static const double LEAST_S = 1e-9;

static double
now_s(const struct profile_opts *o)
{
	return o->now_s != NULL ? o->now_s(o->context) : clock_now_s();
}

void
measure_begin(
    struct measuring *s, const struct profile_opts *o, struct profile *p)
{
	*s = (struct measuring){ o, p, NULL, now_s(o) };
}

double
measure_spent(const struct measuring *s)
{
	return now_s(s->o) - s->begin_s;
}

unsigned
measure_most_runs(const struct measuring *s)
{
	return s->o->runs > 0 && s->o->runs < PROFILE_RUNS ? s->o->runs
							   : PROFILE_RUNS;
}

/*
 * Returns true if an input size needs no more runs. This is so if its mean time
 * is precise enough, if it has the maximum number of runs, or if its runs took
 * too long. point_s is the time of these runs. The limit is a quarter of the
 * whole measuring time for the first three runs, and then a tenth.
 */
static bool
steady(const struct measuring *s, const struct sample *m, unsigned runs,
    double point_s)
{
	if (runs >= measure_most_runs(s))
		return true;
	if (runs < MEASURE_RUNS_LEAST)
		return m->seconds > 1 && point_s > s->o->seconds / 4;
	if (m->interval <= s->o->precision * m->seconds)
		return true;
	return point_s > fmax(s->o->seconds / 10, 0.1);
}

int
measure_again(
    struct measuring *s, struct sample *m, struct detail *d, struct hp_err *e)
{
	double sorted[PROFILE_RUNS];
	int rc;

	if (s->o->progress != NULL)
		s->o->progress(
		    s->o->context, m->n, d->runs + 1, measure_spent(s));
	rc = s->o->run(s->o->context, m->n, &d->seconds[d->runs], e);
	if (rc != 1)
		return rc;
	d->seconds[d->runs] = fmax(d->seconds[d->runs], LEAST_S);
	d->runs++;
	memcpy(sorted, d->seconds, d->runs * sizeof *sorted);
	sample_of(sorted, d->runs, m);
	return 1;
}

/*
 * Measures a new size: runs the work until its mean time is certain or a limit
 * is reached.
 */
static int
measure_size(struct measuring *s, uint64_t n, struct sample *m,
    struct detail *d, struct hp_err *e)
{
	double begin_s = now_s(s->o);
	int rc;

	*m = (struct sample){ .n = n };
	d->runs = 0;
	do {
		if ((rc = measure_again(s, m, d, e)) != 1)
			return rc;
	} while (!steady(s, m, d->runs, now_s(s->o) - begin_s));
	return 1;
}

/*
 * Returns how much the speed at size m differs from the straight line between
 * its neighbours a and b, as a fraction.
 */
static double
off_the_line(
    const struct sample *a, const struct sample *m, const struct sample *b)
{
	double u = (double)(m->n - a->n) / (double)(b->n - a->n);
	double expected = sample_speed(a) +
	    (sample_speed(b) - sample_speed(a)) * u;

	return fabs(log(sample_speed(m) / expected));
}

/* Inserts the sample by size. */
static int
keep(struct measuring *s, const struct sample *m, const struct detail *d,
    struct hp_err *e)
{
	struct profile *p = s->p;
	struct sample *sample = reallocarray(
	    p->sample, p->n + 1, sizeof *sample);
	struct detail *detail = reallocarray(
	    s->detail, p->n + 1, sizeof *detail);
	size_t i = p->n;

	if (sample != NULL)
		p->sample = sample;
	if (detail != NULL)
		s->detail = detail;
	if (sample == NULL || detail == NULL)
		return hp_fail(e, HP_NOMEM, "profile");
	for (; i > 0 && sample[i - 1].n > m->n; i--) {
		sample[i] = sample[i - 1];
		detail[i] = detail[i - 1];
	}
	sample[i] = *m;
	detail[i] = *d;
	detail[i].bend = INFINITY;
	if (i > 0 && i < p->n)
		detail[i - 1].bend = detail[i].bend = off_the_line(
		    &sample[i - 1], m, &sample[i + 1]);
	p->n++;
	return 0;
}

int
measure_and_keep(struct measuring *s, uint64_t n, struct hp_err *e)
{
	struct sample m;
	struct detail d;
	int rc = measure_size(s, n, &m, &d, e);

	if (rc == 0) {
		s->p->failed = n;
		snprintf(s->p->how, sizeof s->p->how, "%.63s", e->text);
	} else if (rc == PROFILE_UNTRIED)
		s->p->untried = n;
	else if (rc == 1 && keep(s, &m, &d, e) == -1)
		rc = -1;
	return rc;
}

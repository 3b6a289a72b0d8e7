#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "profile/profile.h"

enum {
	RUNS_LEAST = 3,
	RUNS_MOST = 40,
	STEP = 4 /* from size to size upwards */
};

static const uint64_t FIRST = 1000;	 /* size that is tried first */
static const double MEASURABLE_S = 0.01; /* well above starting a process */
static const double NARROW = 1.05;	 /* a cliff is known to this ratio */

struct state {
	const struct profile_opts *o;
	struct profile *p;
	/*
	 * By how much, as a fraction, the curve may be off the straight piece
	 * that follows a sample: known where the piece was halved before.
	 */
	double *bend;
	double begin_s;
};

static double
spent(const struct state *s)
{
	return clock_now_s() - s->begin_s;
}

/* More runs?  The long ones may take a quarter of the time there is. */
static bool
steady(const struct state *s, const struct sample *m, unsigned runs,
    double point_s)
{
	if (runs >= RUNS_MOST)
		return true;
	if (runs < RUNS_LEAST)
		return m->seconds > 1 && point_s > s->o->seconds / 4;
	if (m->interval <= s->o->precision * m->seconds)
		return true;
	return point_s > fmax(s->o->seconds / 10, 0.1);
}

/* 1 with the sample, 0 when the work fails at this size, -1. */
static int
measure_size(struct state *s, uint64_t n, struct sample *m, struct hp_err *e)
{
	double seconds[RUNS_MOST], sorted[RUNS_MOST];
	double begin_s = clock_now_s();
	unsigned runs = 0;
	int rc;

	*m = (struct sample){ .n = n };
	do {
		if (s->o->progress != NULL)
			s->o->progress(s->o->context, n, runs + 1, spent(s));
		rc = s->o->run(s->o->context, n, &seconds[runs], e);
		if (rc != 1)
			return rc;
		runs++;
		memcpy(sorted, seconds, runs * sizeof *sorted);
		sample_of(sorted, runs, m);
	} while (!steady(s, m, runs, clock_now_s() - begin_s));
	return 1;
}

static double
speed(const struct sample *m)
{
	return (double)m->n / m->seconds;
}

/* How far the sample is off the straight line between its neighbours. */
static double
off_the_line(
    const struct sample *a, const struct sample *m, const struct sample *b)
{
	double u = (double)(m->n - a->n) / (double)(b->n - a->n);
	double expected = speed(a) + (speed(b) - speed(a)) * u;

	return fabs(log(speed(m) / expected));
}

/* Keeps the sample at its place. */
static int
keep(struct state *s, const struct sample *m, struct hp_err *e)
{
	struct profile *p = s->p;
	struct sample *sample = reallocarray(
	    p->sample, p->n + 1, sizeof *sample);
	double *bend = reallocarray(s->bend, p->n + 1, sizeof *bend);
	size_t i = p->n;

	if (sample != NULL)
		p->sample = sample;
	if (bend != NULL)
		s->bend = bend;
	if (sample == NULL || bend == NULL)
		return hp_fail(e, HP_NOMEM, "profile");
	for (; i > 0 && sample[i - 1].n > m->n; i--) {
		sample[i] = sample[i - 1];
		bend[i] = bend[i - 1];
	}
	sample[i] = *m;
	bend[i] = INFINITY;
	if (i > 0 && i < p->n)
		bend[i - 1] = bend[i] = off_the_line(
		    &sample[i - 1], m, &sample[i + 1]);
	p->n++;
	return 0;
}

static int
measure_and_keep(struct state *s, uint64_t n, struct hp_err *e)
{
	struct sample m;
	int rc = measure_size(s, n, &m, e);

	if (rc == 0)
		s->p->failed = n;
	else if (rc == 1 && keep(s, &m, e) == -1)
		rc = -1;
	return rc;
}

static int
measure_given(struct state *s, struct hp_err *e)
{
	int rc = 1;

	for (size_t i = 0; i < s->o->nsizes && rc == 1; i++)
		rc = measure_and_keep(s, s->o->size[i], e);
	return rc == -1 ? -1 : 0;
}

/* A size to begin with that takes long enough to be measured. */
static int
find_first(struct state *s, uint64_t *n, struct hp_err *e)
{
	double seconds = 0;
	int rc = 1;

	*n = s->o->from;
	if (*n > 0)
		return 0;
	for (*n = FIRST; rc == 1; *n *= STEP) {
		if (s->o->to > 0 && *n >= s->o->to / STEP)
			return 0;
		rc = s->o->run(s->o->context, *n, &seconds, e);
		if (rc == 1 && seconds >= MEASURABLE_S)
			return 0;
		if (rc == 0)
			return 0;
		if (*n > (uint64_t)1 << 40 || spent(s) > s->o->seconds / 4)
			return 0;
	}
	return rc;
}

/* May the next size upwards still be run a few times? */
static bool
time_for(const struct state *s, uint64_t n)
{
	const struct sample *last = &s->p->sample[s->p->n - 1];
	double expected = last->seconds * (double)n / (double)last->n;

	if (n > (s->o->to > 0 ? s->o->to : (uint64_t)1 << 53))
		return false;
	return s->o->whole ||
	    spent(s) + (RUNS_LEAST + 1) * expected < s->o->seconds;
}

static int
climb(struct state *s, struct hp_err *e)
{
	uint64_t n = 0;
	int rc = 1;

	if (find_first(s, &n, e) == -1)
		return -1;
	do {
		if ((rc = measure_and_keep(s, n, e)) != 1)
			return rc;
		/* The last size asked for is not passed over. */
		if (s->o->to > n && n * STEP > s->o->to)
			n = s->o->to;
		else
			n *= STEP;
	} while (time_for(s, n));
	return 0;
}

/* What the means themselves leave open. */
static double
uncertainty(const struct sample *m)
{
	return fmin(m->interval / m->seconds, 1);
}

/*
 * The size between two points, or between the last and a failure, that is
 * needed most; 0 when all is known well enough.
 */
static uint64_t
choose_between(const struct state *s)
{
	const struct profile *p = s->p;
	double worst = 2 * s->o->precision;
	uint64_t n = 0;

	if (p->failed > 0 && p->n > 0 &&
	    (double)p->failed > NARROW * (double)p->sample[p->n - 1].n)
		return (uint64_t)sqrt(
		    (double)p->failed * (double)p->sample[p->n - 1].n);
	for (size_t i = 1; i < p->n; i++) {
		const struct sample *a = &p->sample[i - 1], *b = a + 1;
		double change = fmin(fabs(log(speed(b) / speed(a))),
				    2 * s->bend[i - 1]) -
		    uncertainty(a) - uncertainty(b);

		if (change > worst && (double)b->n > NARROW * (double)a->n &&
		    b->n - a->n > 1) {
			worst = change;
			n = (uint64_t)sqrt((double)a->n * (double)b->n);
		}
	}
	return n;
}

static int
refine(struct state *s, struct hp_err *e)
{
	uint64_t n;

	while (s->p->n < s->o->points && spent(s) < s->o->seconds &&
	    (n = choose_between(s)) > 0)
		if (measure_and_keep(s, n, e) == -1)
			return -1;
	return 0;
}

/* The samples from first on as one: the pooled mean of their runs. */
struct block {
	size_t first;
	double seconds, low, high, runs;
};

static void
block_join(struct block *a, const struct block *b)
{
	a->seconds = (a->seconds * a->runs + b->seconds * b->runs) /
	    (a->runs + b->runs);
	a->runs += b->runs;
	a->low = fmin(a->low, b->low);
	a->high = fmax(a->high, b->high);
}

/*
 * Times that fall from a size to a larger one by less than the runs of the two
 * differ are pooled (adjacent violators, weighted by runs): noise must not look
 * like a machine that does more in less time.
 */
static int
pool(struct profile *p, struct hp_err *e)
{
	struct block *block = reallocarray(NULL, p->n + 1, sizeof *block);
	size_t n = 0;

	if (block == NULL)
		return hp_fail(e, HP_NOMEM, "profile");
	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		block[n++] = (struct block){ i, m->seconds, m->low, m->high,
			m->runs };
		for (; n > 1 && block[n - 1].seconds < block[n - 2].seconds &&
		     block[n - 1].high >= block[n - 2].low;
		     n--)
			block_join(&block[n - 2], &block[n - 1]);
	}
	for (size_t i = p->n; i-- > 0;) {
		const struct block *b = &block[n - 1];

		p->sample[i].seconds = b->seconds;
		p->sample[i].low = b->low;
		p->sample[i].high = b->high;
		if (i == b->first)
			n--;
	}
	free(block);
	return 0;
}

int
profile_measure(
    const struct profile_opts *o, struct profile *p, struct hp_err *e)
{
	struct state s = { o, p, NULL, clock_now_s() };
	int rc;

	*p = (struct profile){ 0 };
	rc = o->nsizes > 0 ? measure_given(&s, e) : climb(&s, e);
	if (rc == 0 && o->nsizes == 0)
		rc = refine(&s, e);
	if (rc == 0 && p->n == 0)
		rc = hp_fail(e, HP_IO, "the work fails at the first size, %ju",
		    (uintmax_t)p->failed);
	if (rc == 0)
		rc = pool(p, e);
	if (rc == -1)
		profile_fini(p);
	free(s.bend);
	return rc;
}

void
profile_fini(struct profile *p)
{
	free(p->sample);
	*p = (struct profile){ 0 };
}

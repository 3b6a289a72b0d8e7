#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "profile/profile.h"

enum {
	RUNS_LEAST = 3,
	STEP = 4 /* ratio of successive sizes, before intervals are halved */
};

static const uint64_t FIRST = 1000; /* first size to try */
/* A run of this many seconds takes much longer than the start of a process. */
static const double MEASURABLE_S = 0.01;
/* seconds; replaces 0 from a coarse clock. */
static const double LEAST_S = 1e-9;

/* data of a sample that the profile does not contain */
struct detail {
	/* times of the runs, in the order in which the runs were made */
	double seconds[PROFILE_RUNS];
	unsigned runs;
	/*
	 * How far the curve probably deviates from the straight line to the
	 * next sample, as a fraction. The deviation is known after a size
	 * within a longer interval was measured. INFINITY means that it is
	 * unknown.
	 */
	double bend;
};

struct state {
	const struct profile_opts *o;
	struct profile *p;
	struct detail *detail; /* [p->n]: data of each sample */
	double begin_s;
};

static double
now_s(const struct profile_opts *o)
{
	return o->now_s != NULL ? o->now_s(o->context) : clock_now_s();
}

static double
spent(const struct state *s)
{
	return now_s(s->o) - s->begin_s;
}

static unsigned
most_runs(const struct state *s)
{
	return s->o->runs > 0 && s->o->runs < PROFILE_RUNS ? s->o->runs
							   : PROFILE_RUNS;
}

/*
 * Returns true if a size needs no more runs: its mean is precise enough, or a
 * limit is reached. The first three runs may take up to a quarter of all time,
 * and more runs up to a tenth.
 */
static bool
steady(const struct state *s, const struct sample *m, unsigned runs,
    double point_s)
{
	if (runs >= most_runs(s))
		return true;
	if (runs < RUNS_LEAST)
		return m->seconds > 1 && point_s > s->o->seconds / 4;
	if (m->interval <= s->o->precision * m->seconds)
		return true;
	return point_s > fmax(s->o->seconds / 10, 0.1);
}

/*
 * Runs the work once more with m->n items and updates the sample. Returns the
 * same values as profile_run.
 */
static int
run_again(struct state *s, struct sample *m, struct detail *d, struct hp_err *e)
{
	double sorted[PROFILE_RUNS];
	int rc;

	if (s->o->progress != NULL)
		s->o->progress(s->o->context, m->n, d->runs + 1, spent(s));
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
measure_size(struct state *s, uint64_t n, struct sample *m, struct detail *d,
    struct hp_err *e)
{
	double begin_s = now_s(s->o);
	int rc;

	*m = (struct sample){ .n = n };
	d->runs = 0;
	do {
		if ((rc = run_again(s, m, d, e)) != 1)
			return rc;
	} while (!steady(s, m, d->runs, now_s(s->o) - begin_s));
	return 1;
}

static double
speed(const struct sample *m)
{
	return (double)m->n / m->seconds;
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
	double expected = speed(a) + (speed(b) - speed(a)) * u;

	return fabs(log(speed(m) / expected));
}

/* Inserts the sample by size. */
static int
keep(struct state *s, const struct sample *m, const struct detail *d,
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

static int
measure_and_keep(struct state *s, uint64_t n, struct hp_err *e)
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

static int
measure_given(struct state *s, struct hp_err *e)
{
	int rc = 1;

	for (size_t i = 0; i < s->o->nsizes && rc == 1; i++)
		rc = measure_and_keep(s, s->o->size[i], e);
	return rc == -1 ? -1 : 0;
}

/* Chooses a first size that takes long enough to be measured. */
static int
find_first(struct state *s, uint64_t *n, struct hp_err *e)
{
	double seconds = 0;
	int rc = 1;

	*n = s->o->from;
	if (*n > 0)
		return 0;
	*n = s->o->to > 0 && s->o->to < FIRST ? s->o->to : FIRST;
	for (; rc == 1; *n *= STEP) {
		if (s->o->to > 0 && *n >= s->o->to / STEP)
			return 0;
		rc = s->o->run(s->o->context, *n, &seconds, e);
		if (rc == 1 && seconds >= MEASURABLE_S)
			return 0;
		/*
		 * If the last size failed, use the size before it. That size
		 * worked, although it was too fast to measure well.
		 */
		if (rc == 0 || rc == PROFILE_UNTRIED) {
			*n = *n > FIRST ? *n / STEP : *n;
			return 0;
		}
		if (*n > (uint64_t)1 << 40 || spent(s) > s->o->seconds / 4)
			return 0;
	}
	return rc;
}

/*
 * Returns true if there is time to run n, the next larger size, several times.
 */
static bool
time_for(const struct state *s, uint64_t n)
{
	const struct sample *last = &s->p->sample[s->p->n - 1];
	double expected = last->seconds * (double)n / (double)last->n;

	if (n > (s->o->to > 0 ? s->o->to : COUNT_MOST))
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
			return rc == -1 ? -1 : 0;
		/*
		 * Do not step over the largest size that the caller asked for.
		 */
		if (s->o->to > n && n * STEP > s->o->to)
			n = s->o->to;
		else
			n *= STEP;
	} while (time_for(s, n));
	return 0;
}

/* Returns the relative uncertainty of a mean. */
static double
uncertainty(const struct sample *m)
{
	return fmin(m->interval / m->seconds, 1);
}

/*
 * Returns the geometric mean of the sizes a and b, but at least a + 1. b
 * exceeds a by more than 1.
 */
static uint64_t
middle_size(uint64_t a, uint64_t b)
{
	uint64_t n = (uint64_t)sqrt((double)a * (double)b);

	return n > a ? n : a + 1;
}

/*
 * Returns true if there is room for a size between a and b that differs enough
 * from both.
 */
static bool
apart(uint64_t a, uint64_t b)
{
	return b - a > 1 && (double)b > PROFILE_NARROW * (double)a;
}

/*
 * Chooses the next size to measure. If the work failed at a size, narrows the
 * interval between the last point and that size. Otherwise takes the middle of
 * the most uncertain interval between two points. Returns 0 if all intervals
 * are certain enough.
 */
static uint64_t
choose_between(const struct state *s)
{
	const struct profile *p = s->p;
	double worst = 2 * s->o->precision;
	uint64_t n = 0;

	if (p->failed > 0 && p->n > 0 &&
	    apart(p->sample[p->n - 1].n, p->failed))
		return middle_size(p->sample[p->n - 1].n, p->failed);
	for (size_t i = 1; i < p->n; i++) {
		const struct sample *a = &p->sample[i - 1], *b = a + 1;
		double change = fmin(fabs(log(speed(b) / speed(a))),
				    2 * s->detail[i - 1].bend) -
		    uncertainty(a) - uncertainty(b);

		if (change > worst && apart(a->n, b->n)) {
			worst = change;
			n = middle_size(a->n, b->n);
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

/*
 * Among the samples for which there is time for another run, returns the index
 * of the one with the least certain mean. Returns p->n if there is none.
 */
static size_t
least_certain(const struct state *s)
{
	const struct profile *p = s->p;
	double worst = s->o->precision, left_s = s->o->seconds - spent(s);
	size_t which = p->n;

	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		if (m->interval > worst * m->seconds && m->seconds < left_s &&
		    s->detail[i].runs < most_runs(s)) {
			worst = m->interval / m->seconds;
			which = i;
		}
	}
	return which;
}

/*
 * Spends the remaining time on more runs of uncertain sizes. The runs of a size
 * are spread over time. So a temporary slowdown of the machine does not look
 * like one slow size.
 */
static int
settle(struct state *s, struct hp_err *e)
{
	struct profile *p = s->p;
	size_t i;
	int rc = 1;

	/*
	 * The loop also ends if the work now fails at a size at which it worked
	 * before.
	 */
	while (rc == 1 && (i = least_certain(s)) < p->n)
		rc = run_again(s, &p->sample[i], &s->detail[i], e);
	return rc == -1 ? -1 : 0;
}

/*
 * Neighbouring samples whose runs are pooled, so that they share one mean.
 * `first` is the index of the first sample.
 */
struct block {
	size_t first;
	double seconds, interval, low, high, runs;
};

/* The means are independent, so the squares of their errors add up. */
static void
block_join(struct block *a, const struct block *b)
{
	a->seconds = (a->seconds * a->runs + b->seconds * b->runs) /
	    (a->runs + b->runs);
	a->interval = hypot(a->interval * a->runs, b->interval * b->runs) /
	    (a->runs + b->runs);
	a->runs += b->runs;
	a->low = fmin(a->low, b->low);
	a->high = fmax(a->high, b->high);
}

/*
 * If a larger size took less time than a smaller one, but the times of their
 * runs overlap, pools their runs. Otherwise noise would look like more work in
 * less time. The method is "pool adjacent violators", weighted by runs.
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

		block[n++] = (struct block){ i, m->seconds, m->interval, m->low,
			m->high, m->runs };
		for (; n > 1 && block[n - 1].seconds < block[n - 2].seconds &&
		     block[n - 1].high >= block[n - 2].low;
		     n--)
			block_join(&block[n - 2], &block[n - 1]);
	}
	for (size_t i = p->n; i-- > 0;) {
		const struct block *b = &block[n - 1];

		p->sample[i].seconds = b->seconds;
		p->sample[i].interval = b->interval;
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
	struct state s = { o, p, NULL, now_s(o) };
	int rc;

	*p = (struct profile){ 0 };
	rc = o->nsizes > 0 ? measure_given(&s, e) : climb(&s, e);
	if (rc == 0 && o->nsizes == 0)
		rc = refine(&s, e);
	if (rc == 0 && p->n == 0)
		rc = p->untried > 0
		    ? -1
		    : hp_fail(e, HP_IO,
			  "the work fails at the first size, %ju: %s",
			  (uintmax_t)p->failed, p->how);
	if (rc == 0)
		rc = settle(&s, e);
	if (rc == 0)
		rc = pool(p, e);
	if (rc == -1)
		profile_fini(p);
	free(s.detail);
	return rc;
}

void
profile_fini(struct profile *p)
{
	free(p->sample);
	*p = (struct profile){ 0 };
}

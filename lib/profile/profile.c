#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "profile/measure.h"
#include "profile/pool.h"
#include "profile/profile.h"

enum {
	/*
	 * The first pass measures sizes that grow by this factor. Later passes
	 * measure sizes in between.
	 */
	STEP = 4
};

static const uint64_t FIRST = 1000; /* first size to try */
/* A run of this many seconds takes much longer than the start of a process. */
static const double MEASURABLE_S = 0.01;

static int
measure_given(struct measuring *s, struct hp_err *e)
{
	int rc = 1;

	for (size_t i = 0; i < s->o->nsizes && rc == 1; i++)
		rc = measure_and_keep(s, s->o->size[i], e);
	return rc == -1 ? -1 : 0;
}

/* Chooses a first size that takes long enough to be measured. */
static int
find_first(struct measuring *s, uint64_t *n, struct hp_err *e)
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
		if (*n > (uint64_t)1 << 40 ||
		    measure_spent(s) > s->o->seconds / 4)
			return 0;
	}
	return rc;
}

/*
 * Returns true if there is time to run n, the next larger size, several times.
 */
static bool
time_for(const struct measuring *s, uint64_t n)
{
	const struct sample *last = &s->p->sample[s->p->n - 1];
	double expected = last->seconds * (double)n / (double)last->n;

	if (n > (s->o->to > 0 ? s->o->to : COUNT_MOST))
		return false;
	return s->o->whole ||
	    measure_spent(s) + (MEASURE_RUNS_LEAST + 1) * expected <
	    s->o->seconds;
}

static int
climb(struct measuring *s, struct hp_err *e)
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
choose_between(const struct measuring *s)
{
	const struct profile *p = s->p;
	double worst = 2 * s->o->precision;
	uint64_t n = 0;

	if (p->failed > 0 && p->n > 0 &&
	    apart(p->sample[p->n - 1].n, p->failed))
		return middle_size(p->sample[p->n - 1].n, p->failed);
	for (size_t i = 1; i < p->n; i++) {
		const struct sample *a = &p->sample[i - 1], *b = a + 1;
		double change = fmin(fabs(log(
					 sample_speed(b) / sample_speed(a))),
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
refine(struct measuring *s, struct hp_err *e)
{
	uint64_t n;

	while (s->p->n < s->o->points && measure_spent(s) < s->o->seconds &&
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
least_certain(const struct measuring *s)
{
	const struct profile *p = s->p;
	double worst = s->o->precision,
	       left_s = s->o->seconds - measure_spent(s);
	size_t which = p->n;

	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		if (m->interval > worst * m->seconds && m->seconds < left_s &&
		    s->detail[i].runs < measure_most_runs(s)) {
			worst = m->interval / m->seconds;
			which = i;
		}
	}
	return which;
}

/*
 * Spends the remaining time on more runs of the sizes with the least certain
 * times. The next size is chosen after each run, so runs of one size are spread
 * over time. A temporary slowdown of the machine then does not affect one size
 * alone.
 */
static int
settle(struct measuring *s, struct hp_err *e)
{
	struct profile *p = s->p;
	size_t i;
	int rc = 1;

	/*
	 * The loop also ends if the measured command fails at a size that it
	 * has already completed.
	 */
	while (rc == 1 && (i = least_certain(s)) < p->n)
		rc = measure_again(s, &p->sample[i], &s->detail[i], e);
	return rc == -1 ? -1 : 0;
}

int
profile_measure(
    const struct profile_opts *o, struct profile *p, struct hp_err *e)
{
	struct measuring s;
	int rc;

	*p = (struct profile){ 0 };
	measure_begin(&s, o, p);
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
		rc = pool_times(p, e);
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

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/size.h"
#include "profile/group.h"
#include "profile/outliers.h"
#include "profile/profile.h"

#define CHANGED 3 /* similar outliers that show a changed machine */
/* number of later runs after which the weight of a run has halved */
#define HALF_LIFE 8.0

/*
 * The times per item of a group (runs of similar size), as input for
 * outliers_mark. First come the runs, the latest first. The last element stands
 * for the group's measured point, if it has one.
 */
struct observations {
	struct observation obs[HISTORY_LATEST + 1];
	const struct past_run
	    *run[HISTORY_LATEST + 1]; /* NULL: measured point */
	size_t n;
	double median;
};

int
run_by_size(const void *a, const void *b)
{
	const struct past_run *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

int
run_by_time(const void *a, const void *b)
{
	const struct past_run *x = *(struct past_run *const *)a,
			      *y = *(struct past_run *const *)b;

	if (x->start_s != y->start_s)
		return x->start_s > y->start_s ? -1 : 1;
	return run_by_size(x, y);
}

/*
 * Adds the measured point to the observations. The point stands for several
 * runs. It has the weight that these runs would have if they were older than
 * all other runs.
 */
static void
add_measured(struct observations *b, const struct seen *m)
{
	double w = 0, later = (double)b->n;

	for (double i = 0; i < m->runs && i < 10 * HALF_LIFE; i++)
		w += age_weight(later + i, HALF_LIFE);
	b->run[b->n] = NULL;
	b->obs[b->n++] = (struct observation){ m->seconds / m->n, w, m->runs,
		false };
}

/*
 * Stores the time per item of each run of group g (runs of similar size) as an
 * observation. `latest` has the same runs, the latest first.
 */
static void
fill(struct observations *b, const struct group *g, struct past_run **latest)
{
	size_t later = 0;

	b->n = 0;
	for (size_t i = 0; i < g->n && i < HISTORY_LATEST; i++) {
		/* Runs that started at the same time have the same age. */
		if (i > 0 && latest[i]->start_s < latest[i - 1]->start_s)
			later = i;
		b->run[i] = latest[i];
		b->obs[i] = (struct observation){ latest[i]->seconds /
			    latest[i]->n,
			age_weight((double)later, HALF_LIFE), 1, false };
		b->n++;
	}
	if (g->measured != NULL && b->n < HISTORY_LATEST)
		add_measured(b, g->measured);
}

static void
judge(struct observations *b, const struct group *g)
{
	const struct seen *m = g->measured;
	double least = 0;

	/*
	 * The measured point is the mean of several runs. Differences as large
	 * as those between these runs are normal, so they make no outlier.
	 */
	if (m != NULL && b->run[b->n - 1] == NULL)
		least = (m->high - m->low) / m->n;
	b->median = weighted_median(b->obs, b->n);
	outliers_mark(b->obs, b->n, b->median, least);
}

static double
size_of(const struct observations *b, const struct group *g, size_t i)
{
	return b->run[i] != NULL ? b->run[i]->n : g->measured->n;
}

/*
 * Looks among the outliers of a group for a cliff, a size above which runs are
 * suddenly slower. Returns the size at which to cut the group in two, or 0 if
 * there is no cliff.
 */
static double
cliff(const struct observations *b, const struct group *g)
{
	/* Smallest and largest size of the runs that are no outliers. */
	double least = INFINITY, most = 0;
	double above = INFINITY, below = 0;
	size_t nabove = 0, nbelow = 0, slow = 0, fast = 0;

	for (size_t i = 0; i < b->n; i++)
		if (!b->obs[i].out) {
			least = fmin(least, size_of(b, g, i));
			most = fmax(most, size_of(b, g, i));
		}
	for (size_t i = 0; i < b->n; i++) {
		double n = size_of(b, g, i);

		if (!b->obs[i].out || b->run[i] == NULL)
			continue;
		if (n > PROFILE_NARROW * most && b->obs[i].x > b->median) {
			slow++;
			above = fmin(above, n);
		} else if (n < least / PROFILE_NARROW &&
		    b->obs[i].x < b->median) {
			fast++;
			below = fmax(below, n);
		} else {
			nabove += n >= above;
			nbelow += n <= below;
		}
	}
	if (slow > 1 && nabove == 0)
		return above;
	/*
	 * At least two runs of small sizes are much faster than the others. Cut
	 * the group just above the largest of these sizes.
	 */
	return fast > 1 && nbelow == 0 ? nextafter(below, INFINITY) : 0;
}

/*
 * Returns true if the machine seems to have changed: the last runs are all
 * outliers of similar speed.
 */
static bool
changed(const struct observations *b)
{
	const struct observation *v = b->obs;

	if (b->n <= CHANGED)
		return false;
	for (size_t i = 0; i < CHANGED; i++)
		if (!v[i].out || b->run[i] == NULL ||
		    size_ratio(v[i].x, v[0].x) > GROUP_WIDE)
			return false;
	return true;
}

static void
mean(const struct observations *b, const struct group *g, struct seen *p)
{
	double sum = 0;

	*p = (struct seen){ .low = INFINITY };
	for (size_t i = 0; i < b->n; i++) {
		const struct observation *v = &b->obs[i];
		const struct past_run *r = b->run[i];
		struct seen one = r == NULL
		    ? *g->measured
		    : (struct seen){ r->n, r->seconds, r->seconds, r->seconds,
			      1 };

		if (v->out)
			continue;
		sum += v->w;
		p->n += v->w * one.n;
		p->seconds += v->w * one.seconds;
		p->low = fmin(p->low, one.low);
		p->high = fmax(p->high, one.high);
		p->runs += one.runs;
	}
	p->n = round(p->n / sum);
	/*
	 * Rounding errors must not make the mean of equal times differ from
	 * these times.
	 */
	p->seconds = fmin(fmax(p->seconds / sum, p->low), p->high);
	p->runs = fmin(p->runs, (double)COUNT_MOST);
}

int
group_evaluate(struct past_run *run, struct group *g, double *cut)
{
	struct past_run **latest = reallocarray(NULL, g->n + 1, sizeof *latest);
	struct observations b;

	if (latest == NULL)
		return -1;
	for (size_t i = 0; i < g->n; i++)
		latest[i] = &run[g->first + i];
	qsort(latest, g->n, sizeof *latest, run_by_time);
	fill(&b, g, latest);
	free(latest);
	judge(&b, g);
	if (cut != NULL && (*cut = cliff(&b, g)) > 0)
		return 0;
	if (changed(&b)) {
		b.n = CHANGED;
		outliers_mark(b.obs, b.n, weighted_median(b.obs, b.n), 0);
	}
	mean(&b, g, &g->point);
	return 0;
}

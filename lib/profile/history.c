#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/size.h"
#include "profile/history.h"
#include "profile/profile.h"
#include "profile/outliers.h"

#define WIDE 1.5 /* sizes that differ by a smaller factor form one point */
/*
 * There may be a cliff, that is, a sudden rise of the time, between two
 * adjacent sizes whose times per item have at least this ratio. A single run
 * proves no cliff, so it is merged with the next smaller size.
 */
#define CLIFF 2.0
#define CHANGED 3 /* similar outliers that show a changed machine */
/* number of later runs after which the weight of a run has halved */
#define HALF_LIFE 8.0

/*
 * Runs of similar size: the n runs from `first` on in the list of runs, which
 * is sorted by size.
 */
struct group {
	size_t first, n;
	const struct seen *measured; /* measured point of the group, or NULL */
	struct seen point;
};

struct state {
	struct run *run; /* sorted by size */
	size_t nruns;
	struct group *group; /* sorted by size */
	size_t ngroups;
};

static int
by_size(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Sorts the latest run first. */
static int
by_time(const void *a, const void *b)
{
	const struct run *x = *(struct run *const *)a,
			 *y = *(struct run *const *)b;

	if (x->start_s != y->start_s)
		return x->start_s > y->start_s ? -1 : 1;
	return by_size(x, y);
}

static double
ratio(double a, double b)
{
	return a > b ? a / b : b / a;
}

/*
 * The observations of a group: first its runs, the latest run first, and then
 * its measured point, if it has one.
 */
struct observations {
	struct observation obs[HISTORY_LATEST + 1];
	const struct run *run[HISTORY_LATEST + 1]; /* NULL: measured point */
	size_t n;
	double median;
};

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
 * Stores the runs of a group as observations. The array `latest` holds the same
 * runs in order of their start, the latest run first.
 */
static void
fill(struct observations *b, const struct group *g, struct run **latest)
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
	 * A run is no outlier if it differs from the median by at most the
	 * spread of the measured point's own runs.
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
	/* Cut just above the largest size of the fast runs. */
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
		    ratio(v[i].x, v[0].x) > WIDE)
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
		const struct run *r = b->run[i];
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

/*
 * Computes the point of a group and sets *cut to 0. If the group contains a
 * cliff, computes no point. *cut is then the size at which to cut the group in
 * two.
 */
static int
evaluate(const struct state *s, struct group *g, double *cut)
{
	struct run **latest = reallocarray(NULL, g->n + 1, sizeof *latest);
	struct observations b;

	if (latest == NULL)
		return -1;
	for (size_t i = 0; i < g->n; i++)
		latest[i] = &s->run[g->first + i];
	qsort(latest, g->n, sizeof *latest, by_time);
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

/*
 * Cuts group i in two: the runs of at least the given size form the second
 * group.
 */
static void
cut_group(struct state *s, size_t i, double size)
{
	struct group *g = &s->group[i], *next = g + 1;
	size_t k = 0;

	for (size_t j = s->ngroups++; j > i + 1; j--)
		s->group[j] = s->group[j - 1];
	while (k < g->n && s->run[g->first + k].n < size)
		k++;
	*next = (struct group){ .first = g->first + k, .n = g->n - k };
	g->n = k;
	if (g->measured != NULL && g->measured->n >= size) {
		next->measured = g->measured;
		g->measured = NULL;
	}
}

/*
 * Returns the index of the measured point with the nearest size. Returns n if
 * no size is within the factor WIDE.
 */
static size_t
nearest(const struct seen *m, size_t n, double size)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (ratio(m[i].n, size) <= WIDE &&
		    (best == n || ratio(m[i].n, size) < ratio(m[best].n, size)))
			best = i;
	return best;
}

static struct group *
open_group(struct state *s, size_t first, const struct seen *measured)
{
	struct group *g = &s->group[s->ngroups++];

	*g = (struct group){ .first = first, .measured = measured };
	return g;
}

/*
 * Groups the runs by size. Each measured point has a group, even without runs.
 */
static void
form_groups(struct state *s, const struct seen *m, size_t nmeasured)
{
	struct group *g = NULL;
	size_t next = 0; /* first measured point without a group */

	for (size_t i = 0; i < s->nruns; i++) {
		double n = s->run[i].n;
		size_t to = nearest(m, nmeasured, n);

		while (next < nmeasured &&
		    (to < nmeasured ? next <= to : m[next].n < n))
			g = open_group(s, i, &m[next++]);
		if (to == nmeasured &&
		    (g == NULL || g->measured != NULL ||
			n > WIDE * s->run[g->first].n))
			g = open_group(s, i, NULL);
		g->n++;
	}
	while (next < nmeasured)
		open_group(s, s->nruns, &m[next++]);
}

/* Merges a group with the previous one. Group 0 is merged with the next one. */
static int
join(struct state *s, size_t i)
{
	struct group *g = &s->group[i > 0 ? i - 1 : 0];

	g->n += g[1].n;
	if (g->measured == NULL)
		g->measured = g[1].measured;
	for (size_t j = (size_t)(g - s->group) + 1; j + 1 < s->ngroups; j++)
		s->group[j] = s->group[j + 1];
	s->ngroups--;
	return evaluate(s, g, NULL);
}

/*
 * Decides whether group i is merged with a neighbour because it is a single
 * run. Returns i for the previous group, i + 1 for the next group, and ngroups
 * for none.
 */
static size_t
joins(const struct state *s, size_t i)
{
	const struct group *g = &s->group[i];
	const struct seen *p = &g->point;
	const struct seen *a = i > 0 ? &g[-1].point : NULL;
	const struct seen *b = i + 1 < s->ngroups ? &g[1].point : NULL;

	if (g->measured != NULL || g->n != 1)
		return s->ngroups;
	if (a != NULL && p->seconds / p->n > CLIFF * (a->seconds / a->n))
		return i;
	if ((a == NULL || a->seconds <= p->seconds) &&
	    (b == NULL || b->seconds >= p->seconds))
		return s->ngroups;
	if (b == NULL || (a != NULL && ratio(a->n, p->n) <= ratio(b->n, p->n)))
		return i;
	return i + 1;
}

static int
join_all(struct state *s)
{
	size_t to;

	for (size_t i = 0; i < s->ngroups;) {
		to = joins(s, i);
		/*
		 * Sizes are rounded to integers, so two groups may get the same
		 * size. Merge such groups.
		 */
		if (to == s->ngroups && i > 0 &&
		    s->group[i].point.n <= s->group[i - 1].point.n)
			to = i;
		if (to == s->ngroups)
			i++;
		else if (join(s, to) == -1)
			return -1;
		else
			i = to > 1 ? to - 2 : 0;
	}
	return 0;
}

/* Keeps only the latest HISTORY_LATEST runs of each group. */
static int
forget(struct state *s)
{
	struct run **latest = reallocarray(NULL, s->nruns + 1, sizeof *latest);
	size_t n = 0;

	if (latest == NULL)
		return -1;
	for (size_t i = 0; i < s->ngroups; i++) {
		struct group *g = &s->group[i];

		for (size_t j = 0; j < g->n; j++)
			latest[j] = &s->run[g->first + j];
		qsort(latest, g->n, sizeof *latest, by_time);
		for (size_t j = HISTORY_LATEST; j < g->n; j++)
			latest[j]->n = 0;
	}
	for (size_t i = 0; i < s->nruns; i++)
		if (s->run[i].n > 0)
			s->run[n++] = s->run[i];
	s->nruns = n;
	free(latest);
	return 0;
}

long
history_points(const struct seen *measured, size_t nmeasured, struct run *run,
    size_t *nruns, struct seen *point)
{
	struct state s = { run, *nruns, NULL, 0 };
	double cut;
	long rc = -1;

	s.group = calloc(nmeasured + *nruns + 1, sizeof *s.group);
	if (s.group == NULL)
		return -1;
	if (s.nruns > 0)
		qsort(s.run, s.nruns, sizeof *s.run, by_size);
	form_groups(&s, measured, nmeasured);
	for (size_t i = 0; i < s.ngroups;) {
		cut = 0;
		if (evaluate(&s, &s.group[i], &cut) == -1)
			goto out;
		if (cut > 0)
			cut_group(&s, i, cut);
		else
			i++;
	}
	if (join_all(&s) == -1 || forget(&s) == -1)
		goto out;
	for (size_t i = 0; i < s.ngroups; i++)
		point[i] = s.group[i].point;
	*nruns = s.nruns;
	rc = (long)s.ngroups;
out:
	free(s.group);
	return rc;
}

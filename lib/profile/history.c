#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/size.h"
#include "profile/group.h"

/*
 * If the time per item rises by more than this factor from one group of runs to
 * the next larger size, the time may jump there (a cliff). A single run does
 * not prove a cliff. So if the larger group has only one run, it is merged with
 * the smaller group.
 */
#define CLIFF 2.0
struct state {
	struct past_run *run; /* sorted by size */
	size_t nruns;
	struct group *group; /* sorted by size */
	size_t ngroups;
};

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
 * no size is within the factor GROUP_WIDE.
 */
static size_t
nearest(const struct seen *m, size_t n, double size)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (size_ratio(m[i].n, size) <= GROUP_WIDE &&
		    (best == n ||
			size_ratio(m[i].n, size) < size_ratio(m[best].n, size)))
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
			n > GROUP_WIDE * s->run[g->first].n))
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
	return group_evaluate(s->run, g, NULL);
}

/*
 * Decides whether to merge group i with a neighbour. This is done if the group
 * has only one run, and its time jumps or does not rise with the size. Returns
 * i to merge with the group before it, i + 1 to merge with the group after it,
 * or ngroups to keep the group.
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
	if (b == NULL ||
	    (a != NULL && size_ratio(a->n, p->n) <= size_ratio(b->n, p->n)))
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

/*
 * Keeps only the latest HISTORY_LATEST runs of each group (runs of similar
 * size), and drops the older ones.
 */
static int
forget(struct state *s)
{
	struct past_run **latest = reallocarray(
	    NULL, s->nruns + 1, sizeof *latest);
	size_t n = 0;

	if (latest == NULL)
		return -1;
	for (size_t i = 0; i < s->ngroups; i++) {
		struct group *g = &s->group[i];

		for (size_t j = 0; j < g->n; j++)
			latest[j] = &s->run[g->first + j];
		qsort(latest, g->n, sizeof *latest, run_by_time);
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
history_points(const struct seen *measured, size_t nmeasured,
    struct past_run *run, size_t *nruns, struct seen *point)
{
	struct state s = { run, *nruns, NULL, 0 };
	double cut;
	long rc = -1;

	s.group = calloc(nmeasured + *nruns + 1, sizeof *s.group);
	if (s.group == NULL)
		return -1;
	if (s.nruns > 0)
		qsort(s.run, s.nruns, sizeof *s.run, run_by_size);
	form_groups(&s, measured, nmeasured);
	for (size_t i = 0; i < s.ngroups;) {
		cut = 0;
		if (group_evaluate(s.run, &s.group[i], &cut) == -1)
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

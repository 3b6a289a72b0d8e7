#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/votes.h"

#define FEW 10 /* runs of which the median deviation is too uncertain */

static int
by_x(const void *a, const void *b)
{
	const struct vote *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static double
runs_of(const struct vote *v, size_t n)
{
	double runs = 0;

	for (size_t i = 0; i < n; i++)
		runs += v[i].runs;
	return runs;
}

/*
 * The least x up to which lies half of the weights, or more than half.  A few
 * count alike: of two the lesser is the median, be it the older one.
 */
static double
middle(const struct vote *v, size_t n, bool more)
{
	struct vote sorted[VOTES_MOST];
	bool few = runs_of(v, n) < FEW;
	double all = 0, sum = 0;
	size_t i;

	memcpy(sorted, v, n * sizeof *v);
	qsort(sorted, n, sizeof *sorted, by_x);
	for (i = 0; i < n; i++) {
		if (few)
			sorted[i].w = sorted[i].runs;
		all += sorted[i].w;
	}
	/* Sums of weights are rounded. */
	all *= more ? 1 + 1e-9 : 1 - 1e-9;
	for (i = 0; i + 1 < n; i++)
		if ((sum += sorted[i].w) >= all / 2)
			break;
	return sorted[i].x;
}

double
votes_median(const struct vote *v, size_t n)
{
	return middle(v, n, false);
}

void
votes_judge(struct vote *v, size_t n, double scale, double least)
{
	double median = middle(v, n, false), above, below;
	bool few = runs_of(v, n) < FEW;
	struct vote off[VOTES_MOST];

	for (size_t i = 0; i < n; i++) {
		off[i] = v[i];
		off[i].x = fabs(v[i].x - median);
	}
	/* 1.4826 makes the deviation of a normal distribution of it. */
	above = few ? scale
		    : fmax(3 * 1.4826 * middle(off, n, true), 0.15 * scale);
	below = few ? scale / 2 : above;
	for (size_t i = 0; i < n; i++)
		v[i].out = v[i].x > median + fmax(above, least) ||
		    v[i].x < median - fmax(below, least);
}

double
vote_weight(double later, double half_life)
{
	return exp2(-later / half_life);
}

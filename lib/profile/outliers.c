#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/outliers.h"

#define FEW 10 /* fewer runs give no reliable deviation */

static int
by_x(const void *a, const void *b)
{
	const struct observation *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static double
runs_of(const struct observation *v, size_t n)
{
	double runs = 0;

	for (size_t i = 0; i < n; i++)
		runs += v[i].runs;
	return runs;
}

/*
 * Returns the weighted median: the smallest x for which the observations up to
 * x have at least half of the total weight. If `more` is set, they must have
 * slightly more than half. With fewer than FEW runs, all runs have the same
 * weight. So the median of two runs is the smaller one, even if that run is
 * old.
 */
static double
middle(const struct observation *v, size_t n, bool more)
{
	struct observation sorted[OUTLIERS_MOST];
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
	/* Allow for rounding in sums of weights. */
	all *= more ? 1 + 1e-9 : 1 - 1e-9;
	for (i = 0; i + 1 < n; i++)
		if ((sum += sorted[i].w) >= all / 2)
			break;
	return sorted[i].x;
}

double
weighted_median(const struct observation *v, size_t n)
{
	return middle(v, n, false);
}

void
outliers_mark(struct observation *v, size_t n, double scale, double least)
{
	double median = middle(v, n, false), above, below;
	bool few = runs_of(v, n) < FEW;
	struct observation off[OUTLIERS_MOST];

	for (size_t i = 0; i < n; i++) {
		off[i] = v[i];
		off[i].x = fabs(v[i].x - median);
	}
	/*
	 * 1.4826 converts the median absolute deviation of a normal
	 * distribution to its standard deviation.
	 */
	above = few ? scale
		    : fmax(3 * 1.4826 * middle(off, n, true), 0.15 * scale);
	below = few ? scale / 2 : above;
	for (size_t i = 0; i < n; i++)
		v[i].out = v[i].x > median + fmax(above, least) ||
		    v[i].x < median - fmax(below, least);
}

double
age_weight(double later, double half_life)
{
	return exp2(-later / half_life);
}

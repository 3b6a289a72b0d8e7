#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "profile/overhead.h"
#include "profile/outliers.h"

/*
 * A line is fitted only if the largest size is at least this many times the
 * smallest size.
 */
#define APART 1.5
/*
 * The slope between two runs is computed only if their sizes have at least this
 * ratio.
 */
#define APART_TWO 1.2
/*
 * Number of later runs after which a run's weight has halved. If runs of two
 * sizes alternate, only half of the later runs have the size of the run itself.
 */
#define HALF_LIFE 16.0

#define LEAST_S 0.01 /* resolution of a trace in seconds */

enum {
	LATEST = 64
};

_Static_assert(
    (int)LATEST <= (int)OUTLIERS_MOST, "all runs are judged together");

/* Sorts the latest run first. */
static int
by_time(const void *a, const void *b)
{
	const struct past_run *x = a, *y = b;

	if (x->start_s != y->start_s)
		return x->start_s > y->start_s ? -1 : 1;
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static int
by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
lower_median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, by_number);
	return x[(n - 1) / 2];
}

/*
 * Returns a robust slope, at least 0 (Siegel 1982). First takes, for each run,
 * the median of its slopes to the other runs. Then returns the median of these
 * medians. Outliers hardly affect the result if fewer than half of the runs are
 * outliers.
 */
static double
middle_slope(const struct past_run *r, size_t n)
{
	double of_run[LATEST], slope[LATEST];
	size_t slopes, k = 0;

	for (size_t i = 0; i < n; i++) {
		slopes = 0;
		for (size_t j = 0; j < n; j++)
			if (r[i].n >= APART_TWO * r[j].n ||
			    r[j].n >= APART_TWO * r[i].n)
				slope[slopes++] = (r[i].seconds -
						      r[j].seconds) /
				    (r[i].n - r[j].n);
		if (slopes > 0)
			of_run[k++] = lower_median(slope, slopes);
	}
	return k > 0 ? fmax(0, lower_median(of_run, k)) : 0;
}

/*
 * Returns the ratio of a run's time to the expected time. All times from lo to
 * hi are expected, so the ratio is 1 in this range. Outside the range, the time
 * is compared with the nearer end.
 */
static double
excess(double seconds, double lo, double hi)
{
	lo = fmax(lo, LEAST_S);
	hi = fmax(hi, lo);
	return seconds > hi ? seconds / hi : seconds < lo ? seconds / lo : 1;
}

/*
 * Marks runs whose time is an outlier, compared with the expected time. If the
 * sizes differ enough (`apart`), a fitted line gives the expected time.
 * Otherwise the times may be constant or proportional to the size, and similar
 * sizes cannot show which. So all times between the median time and (size *
 * median time per item) are expected.
 */
static void
judge(const struct past_run *r, struct observation *v, size_t n, bool apart)
{
	double slope, start;

	for (size_t i = 0; i < n; i++)
		v[i].x = r[i].seconds / r[i].n;
	slope = apart ? middle_slope(r, n) : weighted_median(v, n);
	for (size_t i = 0; i < n; i++)
		v[i].x = r[i].seconds - (apart ? slope * r[i].n : 0);
	start = fmax(0, weighted_median(v, n));
	for (size_t i = 0; i < n; i++) {
		double by_item = slope * r[i].n, t = start + by_item;

		v[i].x = apart ? excess(r[i].seconds, t, t)
			       : excess(r[i].seconds, fmin(start, by_item),
				     fmax(start, by_item));
	}
	outliers_mark(v, n, 1, 0);
}

/* Fits a straight line by least squares. */
static void
line_through(const struct past_run *r, const struct observation *v, size_t n,
    bool apart, double *latency_s, double *per_item)
{
	double w = 0, sn = 0, snn = 0, ss = 0, sns = 0, slope;

	for (size_t i = 0; i < n; i++) {
		if (v[i].out)
			continue;
		w += v[i].w;
		sn += v[i].w * r[i].n;
		snn += v[i].w * r[i].n * r[i].n;
		ss += v[i].w * r[i].seconds;
		sns += v[i].w * r[i].n * r[i].seconds;
	}
	*latency_s = 0;
	*per_item = sns / snn;
	if (!apart || !(w * snn > sn * sn))
		return;
	slope = fmax(0, (w * sns - sn * ss) / (w * snn - sn * sn));
	if (ss > slope * sn) {
		*per_item = slope;
		*latency_s = (ss - slope * sn) / w;
	}
}

static bool
are_apart(const struct past_run *r, const struct observation *v, size_t n)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++)
		if (!v[i].out) {
			least = fmin(least, r[i].n);
			most = fmax(most, r[i].n);
		}
	return most >= APART * least;
}

/*
 * Returns true if the sizes differ enough to compute a slope, even if any one
 * of the runs is left out: it might be an outlier.
 */
static bool
surely_apart(const struct past_run *r, struct observation *v, size_t n)
{
	bool apart = true;

	for (size_t i = 0; i < n && apart; i++) {
		v[i].out = true;
		apart = are_apart(r, v, n);
		v[i].out = false;
	}
	return apart;
}

void
overhead_fit(
    struct past_run *r, size_t n, double *latency_s, double *seconds_per_item)
{
	struct observation v[LATEST];
	size_t later = 0;

	qsort(r, n, sizeof *r, by_time);
	if (n > LATEST)
		n = LATEST;
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && r[i].start_s < r[i - 1].start_s)
			later = i;
		v[i] = (struct observation){ 0,
			age_weight((double)later, HALF_LIFE), 1, false };
	}
	judge(r, v, n, surely_apart(r, v, n));
	line_through(r, v, n, are_apart(r, v, n), latency_s, seconds_per_item);
}

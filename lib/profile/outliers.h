#ifndef HP_PROFILE_OUTLIERS_H
#define HP_PROFILE_OUTLIERS_H

/*
 * Marks outliers among measurements, by the weighted median and the weighted
 * median absolute deviation (Hampel 1974).
 */

#include <stdbool.h>
#include <stddef.h>

/* The maximum number of observations. */
#define OUTLIERS_MOST 72

struct observation {
	double x;
	double w; /* weight, above 0 */
	/* number of runs that the observation stands for, at least 1 */
	double runs;
	bool out; /* an outlier; set by outliers_mark */
};

/*
 * Returns the weighted median of n observations: the smallest x for which the
 * observations up to x have at least half of the total weight w. If the
 * observations stand for fewer than ten runs, all runs have the same weight. n
 * is 1 to OUTLIERS_MOST.
 */
double weighted_median(const struct observation *, size_t n);

/*
 * Marks as outliers all x that differ from the median by more than three
 * standard deviations, estimated by the median absolute deviation. Runs may
 * agree by chance, so x within 15% of `scale` or within `least` are never
 * outliers. With fewer than ten runs the estimate is too uncertain: then x are
 * outliers above the median by more than `scale`, or below it by more than half
 * of `scale`. Other work can only slow a run down, so of two runs that differ
 * by more, the faster one counts.
 */
void outliers_mark(struct observation *, size_t n, double scale, double least);

/*
 * Returns the weight of a run that is followed by `later` further runs. The
 * weight halves with every half_life further runs.
 */
double age_weight(double later, double half_life);

#endif

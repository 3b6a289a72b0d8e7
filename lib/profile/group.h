#ifndef HP_PROFILE_GROUP_H
#define HP_PROFILE_GROUP_H

/*
 * Computes the point of a curve from the finished runs of similar size.
 */

#include "profile/history.h"

/*
 * Runs whose sizes differ by at most about this factor are combined into one
 * point of the curve.
 */
#define GROUP_WIDE 1.5

/*
 * Runs of similar size: the n runs from `first` on in the list of runs, which
 * is sorted by size.
 */
struct group {
	size_t first, n;
	const struct seen *measured; /* measured point of the group, or NULL */
	struct seen point;
};

/* Compare two runs for qsort: by size, and then by start. */
int run_by_size(const void *, const void *);
/* Compare two pointers to runs for qsort: the latest run first. */
int run_by_time(const void *, const void *);

/*
 * Computes one point from the runs of a group, and sets *cut to 0. If the time
 * per item suddenly rises within the group, one point cannot describe it. Then
 * no point is computed, and *cut is the size at which to divide the group.
 */
int group_evaluate(struct past_run *, struct group *, double *cut);

/* Returns the larger number divided by the smaller one. */
static inline double
size_ratio(double a, double b)
{
	return a > b ? a / b : b / a;
}

#endif

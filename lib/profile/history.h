#ifndef HP_PROFILE_HISTORY_H
#define HP_PROFILE_HISTORY_H

/*
 * Computes the points of a node's curve, that is, times as a function of the
 * size, from finished runs. Other work on the node may have disturbed some of
 * the runs.
 */

#include <stddef.h>

/* A finished run: n items in `seconds` seconds, both above 0. */
struct past_run {
	double start_s, n, seconds;
};

/* A point of the curve: mean size and mean time of some runs. */
struct seen {
	double n, seconds;
	double low, high; /* times of the fastest and the slowest run */
	double runs;
};

/* Maximum number of runs that are kept for each size. */
#define HISTORY_LATEST 32

/*
 * Computes points from measured points and the runs since then.
 *   measured[nmeasured]  n increasing
 *   run[*nruns]          all different; is sorted by size, and all but the last
 *                        HISTORY_LATEST runs of a size are removed
 *   point[]              space for nmeasured + *nruns; n increasing
 * Returns the number of points, or -1 if memory is short.
 *
 * Sizes within a factor of 1.5 form one point. Otherwise random differences
 * between two runs would appear as a slope of the curve, and plans would follow
 * it. A run belongs to the nearest measured point within that factor. The other
 * runs are grouped by size, from the smallest on.
 *
 * A point is the weighted mean of its runs. A weight halves with every eight
 * later runs. A measured point counts as its runs, older than all others.
 * Outliers (outliers_mark) do not count, with two exceptions:
 *   cliff            two or more outliers that are all at least 5% larger than
 *                    the rest, or all smaller, form a point of their own
 *   changed machine  if the last three runs are outliers of similar speed, only
 *                    they count
 *
 * A single run does not prove a cliff. If its time per item is more than twice
 * that of the next smaller size, it is merged with that size, as an outlier. A
 * single run that took less time than a smaller size, or more than a larger
 * one, is merged with the nearest size in the same way.
 */
long history_points(const struct seen *measured, size_t nmeasured,
    struct past_run *run, size_t *nruns, struct seen *point);

#endif

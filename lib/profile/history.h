#ifndef HP_PROFILE_HISTORY_H
#define HP_PROFILE_HISTORY_H

/*
 * The points of a node's curve from its finished runs, of which some were
 * disturbed.
 */

#include <stddef.h>

/* A finished run: n items in so many seconds, both above 0. */
struct run {
	double start_s, n, seconds;
};

/* A point: means of the size and the time of so many runs. */
struct seen {
	double n, seconds;
	double low, high; /* the fastest and the slowest of the runs */
	double runs;
};

/* The most runs of a size that are kept. */
#define HISTORY_LATEST 32

/*
 * Makes points of what was measured and of runs since.
 *   measured[nmeasured]  n increasing
 *   run[*nruns]          all different; sorted by size, and the old ones of a
 *                        size with more than HISTORY_LATEST runs removed
 *   point[]              room for nmeasured + *nruns; n increasing
 * Returns how many points there are, or -1 without memory.
 *
 * Sizes within a factor of 1.5 are one point, since what two runs happen to
 * differ by is not the slope of a curve: plans would follow it.  A run belongs
 * to the nearest measured point within that factor.  The others are grouped
 * from the smallest on.
 *
 * A point is the weighted mean of its runs.  A weight halves with every eight
 * later runs.  The measured point counts as its runs, before all others.  What
 * votes_judge finds too far off does not count, except:
 * - Two or more that are all larger than the rest, or all smaller, by 5 % are a
 *   point of their own: a cliff.
 * - Where the last three runs are off alike, the machine has changed, and only
 *   they count.
 *
 * One run alone is no cliff.  A point of a single run that took more than twice
 * as long for an item as the next smaller size is merged with that one, where
 * it does not count.  So is, with the nearest, one that took less time than
 * fewer items, or more than more.
 */
long history_points(const struct seen *measured, size_t nmeasured,
    struct run *run, size_t *nruns, struct seen *point);

#endif

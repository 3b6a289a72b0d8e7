#ifndef HP_PROFILE_OVERHEAD_H
#define HP_PROFILE_OVERHEAD_H

/*
 * What a node needs in whole runs beside the step that its points describe.
 */

#include "profile/history.h"

/*
 * Fits latency_s + n * seconds_per_item, neither below 0, to the times of
 * run[n >= 1], which may be 0: least squares over the latest 64 runs that
 * votes_judge does not find too far off.  It judges the ratio of a run's time
 * to a line that outliers do not move (Siegel 1982).  A weight halves
 * with every 16 later runs.  Where the largest size is less than 1.5 times the
 * smallest, the runs tell nothing of a latency, and the line goes through 0.
 * Sorts run[].
 */
void overhead_fit(
    struct run *, size_t n, double *latency_s, double *seconds_per_item);

#endif

#ifndef HP_PROFILE_OVERHEAD_H
#define HP_PROFILE_OVERHEAD_H

/*
 * Learns the overhead of a run on a node as a function of its items. A node's
 * measured points give the time of only one step of a run, such as the sort.
 * The overhead is the rest of the run's time.
 */

#include "profile/history.h"

/*
 * Fits the time latency_s + n * seconds_per_item to run[n], n >= 1; neither
 * parameter is negative, and times may be 0. The member `seconds` of a run is
 * its overhead. The fit is by least squares over the latest 64 runs without
 * outliers (outliers_mark). Outliers are judged by the ratio of a run's time to
 * a robust line (Siegel 1982). A weight halves with every 16 later runs. If the
 * largest size is less than 1.5 times the smallest, the latency cannot be
 * determined, and the line goes through 0. Sorts run[].
 */
void overhead_fit(
    struct past_run *, size_t n, double *latency_s, double *seconds_per_item);

#endif

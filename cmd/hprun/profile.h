#ifndef HP_CMD_HPRUN_PROFILE_H
#define HP_CMD_HPRUN_PROFILE_H

/*
 * Implements --profile.  It measures all nodes without points in the cluster
 * file, all at the same time, and adds their points to the cluster file.  Then
 * it measures whole runs, if the cluster file lacks links (profile_whole.h).
 */

#include "doc/measured.h"
#include "run.h"

int profile_nodes(struct run *, struct hp_err *);

/*
 * Returns how many records to sort in a measurement: n, or fewer if one sort of
 * n records would take more than a sixth of the seconds.
 *   makespan  planned time of a sort of n records, in seconds
 */
uint64_t foreseen_records(uint64_t n, double makespan, double seconds);
/*
 * Adds the measured profiles of nodes to the cluster file.  `new` names a
 * temporary file in the same directory.
 */
int profile_replace(const char *cluster, const char *new,
    const char *const *profile, size_t nprofiles, bool nearer, struct hp_err *);

#endif

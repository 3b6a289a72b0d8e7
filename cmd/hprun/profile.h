#ifndef HP_CMD_HPRUN_PROFILE_H
#define HP_CMD_HPRUN_PROFILE_H

/*
 * --profile measures the links of hosts (profile_links.h), then all nodes that
 * have no measured points in the cluster file, at the same time.  It adds links
 * and points to that file.
 */

#include "doc/measured.h"
#include "run.h"

int profile_nodes(struct run *, struct hp_err *);

/*
 * Returns n, or fewer records if one sort of n would take more than a sixth of
 * the seconds. makespan is the planned time of a sort of n records, in seconds.
 */
uint64_t foreseen_records(uint64_t n, double makespan, double seconds);
/*
 * Adds the profiles to the cluster file.  `new` names a temporary file beside
 * it.
 */
int profile_replace(const char *cluster, const char *new,
    const char *const *profile, size_t nprofiles, bool nearer, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_PROFILE_WHOLE_H
#define HP_CMD_HPRUN_PROFILE_WHOLE_H

/*
 * Measures what the plan of a whole run needs besides the times of sorts: the
 * links of hosts (profile_links.h), the time in which this machine sorts alone,
 * and the stages of a trial (trial.h).  Adds the results to the cluster file.
 */

#include "run.h"

/* The points of the nodes must be in the cluster file. */
int profile_whole(struct run *, struct hp_err *);

#endif

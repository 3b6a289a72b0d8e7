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

/*
 * After a run with a trial, adds to the cluster file the time from the last
 * record of the result to the end of the run. If this fails, prints a message,
 * because the run itself has succeeded.
 */
void profile_finish(struct run *);

#endif

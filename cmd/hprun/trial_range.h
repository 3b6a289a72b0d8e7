#ifndef HP_CMD_HPRUN_TRIAL_RANGE_H
#define HP_CMD_HPRUN_TRIAL_RANGE_H

/*
 * The last part of a trial (trial.h): whole runs with the method range.  They
 * show how long the launcher takes to divide the records by key, and how fast
 * each host receives, sorts and returns batches at the same time.
 */

#include "run.h"
#include "share/cluster.h"

/*
 * Sorts the input by these runs, and stores in the cluster what follows from
 * their times.
 */
int
trial_range(struct run *, struct cluster *, const char *input, struct hp_err *);

#endif

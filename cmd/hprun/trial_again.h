#ifndef HP_CMD_HPRUN_TRIAL_AGAIN_H
#define HP_CMD_HPRUN_TRIAL_AGAIN_H

/*
 * The second part of a trial (trial.h): whole runs.  Each run has a plan that
 * counts on the times of those before.  The second run tries whether fewer
 * nodes are faster.
 */

#include "run.h"
#include "share/cluster.h"

/*
 * Does the runs, and stores in the cluster what follows from their times.
 *   all  number of records of the input
 */
int trial_again(struct run *, struct cluster *, double item_bytes, uint64_t all,
    struct hp_err *);

#endif

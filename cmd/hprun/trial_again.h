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
 * Sorts the input by these runs, and stores in the cluster what follows from
 * their times.
 */
int trial_again(struct run *, struct cluster *, double item_bytes,
    const char *input, struct hp_err *);

#endif

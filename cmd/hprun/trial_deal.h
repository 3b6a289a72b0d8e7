#ifndef HP_CMD_HPRUN_TRIAL_DEAL_H
#define HP_CMD_HPRUN_TRIAL_DEAL_H

/* Plans a trial (trial.h), and divides the beginning of the input for it. */

#include "run.h"
#include "share/cluster.h"

/*
 * Writes the nodes of this run, with the links and times of the cluster, to the
 * cluster file of the trial.  Stores its name in *file.
 */
int trial_write(const struct cluster *, const char **file, struct hp_err *);

/*
 * Sets run->records to as many records as the time of --profile allows, and the
 * parts of the nodes to those of a plan for these records.
 *   all_nodes  each node gets some records, even if the plan gives it none
 */
int trial_deal(struct run *, const struct cluster *, double item_bytes,
    bool all_nodes, struct hp_err *);

#endif

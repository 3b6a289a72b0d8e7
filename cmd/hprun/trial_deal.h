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
 * parts of the nodes to those of a plan for these records.  Nodes without a
 * share get some records, too.
 */
int trial_deal(
    struct run *, const struct cluster *, double item_bytes, struct hp_err *);

/*
 * Stores the name of a file with the records of the trial in *file.  Makes the
 * file unless the trial has all records of the input.
 */
int trial_input(struct run *, uint64_t all, const char **file, struct hp_err *);

#endif

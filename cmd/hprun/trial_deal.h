#ifndef HP_CMD_HPRUN_TRIAL_DEAL_H
#define HP_CMD_HPRUN_TRIAL_DEAL_H

/* Plans a trial (trial.h), and divides the beginning of the input for it. */

#include "run.h"

/* The cluster file of the trial, in the work directory. */
#define TRIAL_CLUSTER "trial.jsonl"

/*
 * Sets run->records to as many records as the time of --profile allows, and the
 * parts of the nodes to those of a plan for these records.
 */
int trial_deal(struct run *, double item_bytes, struct hp_err *);

#endif

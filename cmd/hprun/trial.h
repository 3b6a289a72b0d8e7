#ifndef HP_CMD_HPRUN_TRIAL_H
#define HP_CMD_HPRUN_TRIAL_H

/*
 * Does the stages of a run with the beginning of the input, for --profile.  The
 * steps are those of the run that follows, with all checksums.  The hosts
 * receive their parts first all at the same time, and later one after the
 * other. They return their parts in the same way.  So the trial shows what a
 * host, and what this machine can do.  The parts need not arrive at the same
 * time, so that a slow host does not hold back the others.
 */

#include "run.h"
#include "share/cluster.h"

/*
 * Returns whether this run can do a trial.  It cannot if it keeps files for
 * --resume, which would mix with those of the trial.
 */
bool trial_possible(const struct run *);

/*
 * Does the trial, and stores in the cluster what follows from its times
 * (share/fit.h).  The cluster is that of TRIAL_CLUSTER (trial_deal.h).
 *   before_s  seconds from the start of hprun to the beginning of --profile
 */
int trial(struct run *, double before_s, struct cluster *, struct hp_err *);

/*
 * Stores in run->result_s when the last record of the result had arrived, since
 * 1970.  Does nothing unless the run did a trial.
 */
int trial_note_result(struct run *, struct hp_err *);

#endif

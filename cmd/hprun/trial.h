#ifndef HP_CMD_HPRUN_TRIAL_H
#define HP_CMD_HPRUN_TRIAL_H

/*
 * Measures the stages of a run with the beginning of the input, for --profile.
 * The steps are those of the run that follows, with all checksums.
 * | In the first part, all hosts receive their parts at the same time, and
 * return them at the same time.  Later each host does both while the others
 * wait.  From these times follow the rate of each host and the rate of this
 * machine (share/fit.h).  The launcher does not pace the transfers, so that a
 * slow host does not delay the others.
 * | In the second part, hprun starts whole runs of itself (trial_run.h).  Their
 * plans are based on the times measured before.  In the last part, hprun starts
 * whole runs with the method range.
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
 * (share/fit.h).  The cluster has the nodes of the run in their order, with
 * their points and links.
 */
int trial(struct run *, struct cluster *, struct hp_err *);

#endif

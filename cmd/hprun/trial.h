#ifndef HP_CMD_HPRUN_TRIAL_H
#define HP_CMD_HPRUN_TRIAL_H

/*
 * Measures the stages of a run with the beginning of the input, for --profile.
 * The steps are those of the run that follows, with all checksums.
 * | In the first part, the hosts receive their parts at the same time, and
 * later one after the other.  They return their parts in the same way.  So this
 * part shows what a host, and what this machine can do.  The parts need not
 * arrive at the same time, so that a slow host does not hold back the others.
 * | In the second part, hprun runs itself (trial_run.h), by a plan that counts
 * on these times.  In the last part, it runs itself with the method range.
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

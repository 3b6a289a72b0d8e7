#ifndef HP_CMD_HPRUN_PROFILE_STEPS_H
#define HP_CMD_HPRUN_PROFILE_STEPS_H

/*
 * The stages of --profile, which measure every node that has no measured points
 * yet.
 */

#include "run.h"
#include "share/plan.h"

/*
 * Measures how long an empty step takes on each node, in seconds by rank; the
 * median of a few runs.
 */
int profile_starts(struct run *, double *start, struct hp_err *);
/*
 * Measures increasing sizes, which takes a third of the time that --profile
 * has. Writes profile.R.
 */
int profile_measure(struct run *, struct hp_err *);
/*
 * After a pause, all nodes sort their planned shares at the same time and
 * append the times to PREFIX.R. `plan` is the plan in foreseen.jsonl, or NULL
 * in a dry run.
 */
int profile_shares(
    struct run *, const struct plan *, const char *prefix, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_PROFILE_STEPS_H
#define HP_CMD_HPRUN_PROFILE_STEPS_H

/*
 * The stages of --profile: what every node without points is asked to measure.
 */

#include "run.h"
#include "share/plan.h"

/* What a step takes that does nothing, by rank: the median of a few. */
int profile_starts(struct run *, double *start, struct hp_err *);
/* Sizes from small ones on, in a third of the time: profile.R. */
int profile_measure(struct run *, struct hp_err *);
/*
 * A sort of its share on each node, all at once, after a pause: adds to
 * PREFIX.R.  plan: of foreseen.jsonl; NULL in a dry run.
 */
int profile_shares(
    struct run *, const struct plan *, const char *prefix, struct hp_err *);

#endif

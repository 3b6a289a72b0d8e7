#ifndef HP_CMD_HPRUN_PROFILE_STEPS_H
#define HP_CMD_HPRUN_PROFILE_STEPS_H

/*
 * The stages of --profile, which measure every node that has no points in the
 * cluster file.
 */

#include "run.h"
#include "share/plan.h"

/*
 * Measures how many seconds an empty step takes on each node.  Stores the
 * median of a few attempts in start[rank].
 */
int profile_starts(struct run *, double *start, struct hp_err *);
/* Measures an empty step of one node; the median of a few runs. */
int profile_start(struct run *, size_t rank, double *start, struct hp_err *);
/*
 * Measures sorts of increasing sizes on this machine, for the launcher's line
 * of the cluster. Takes a sixth of the time that --profile has, and writes
 * profile.launcher.
 */
int profile_launcher(struct run *, struct hp_err *);
/*
 * Measures the time to sort for increasing sizes, which takes a third of the
 * time of --profile.  Writes profile.R for each node R.
 */
int profile_measure(struct run *, struct hp_err *);
/*
 * After a pause, makes all nodes sort their planned shares at the same time,
 * and appends the times to PREFIX.R for each node R.
 *   plan  the plan in foreseen.jsonl; NULL in a dry run
 */
int profile_shares(
    struct run *, const struct plan *, const char *prefix, struct hp_err *);

/*
 * Pauses before a sort, because in a real run nodes also wait for their input.
 * Virtual machines return memory that was free for 2 s to their host (Linux,
 * page_reporting.c).  Getting it back may take as long as the sort.
 */
int profile_pause(struct run *, struct hp_err *);

#endif

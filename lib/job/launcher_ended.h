#ifndef HP_JOB_LAUNCHER_ENDED_H
#define HP_JOB_LAUNCHER_ENDED_H

/*
 * Handles the end of a step, and starts the new steps if the stage (a group of
 * steps) grows.
 */

#include "job/launcher_own.h"

/*
 * Handles an agent's report that a step has ended: notes its success, starts it
 * again, or makes its failure the cause why the stage fails.  Fails if the
 * report contradicts what was asked of the agent.
 */
int hear_ended(struct launcher *, struct task *, const struct message *,
    struct hp_err *why);

/*
 * Lets the stage grow and starts the new steps. `index` is that of the step
 * that has succeeded, or STAGE_TICK. If the stage has failed, the new steps
 * wait until the stage is retried.
 */
void hear_growth(struct launcher *, size_t index);

#endif

#ifndef HP_JOB_LAUNCHER_DROP_H
#define HP_JOB_LAUNCHER_DROP_H

/* Drops steps that the stage can do without: stage_drop. */

#include "job/launcher_own.h"

/*
 * Handles the steps that the stage has dropped since the last call. A waiting
 * step is done at once. A running step is cancelled, and is done when its agent
 * says that it has ended.
 */
int tasks_drop(struct launcher *, struct hp_err *);
/* Returns whether the step is dropped and does not run; it is done then. */
bool task_is_dropped(struct launcher *, struct task *);
/*
 * Returns a machine whose agent was told to cancel a step, but has not reported
 * in time that the step has ended.  NULL: there is none.
 */
struct machine *tasks_overdue(const struct launcher *);

#endif

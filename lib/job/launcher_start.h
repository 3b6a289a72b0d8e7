#ifndef HP_JOB_LAUNCHER_START_H
#define HP_JOB_LAUNCHER_START_H

/* Turns steps into messages for agents. */

#include "job/launcher_own.h"

int start_task(struct launcher *, struct task *, struct hp_err *);
/* Makes a task for each new step of the stage. */
int tasks_add(struct launcher *, struct hp_err *);
/*
 * Step number `index` has succeeded. Lets the stage add more steps (stage.h,
 * `grow`), but does not start them.
 */
int tasks_grow(struct launcher *, size_t index, struct hp_err *);
/* Starts the tasks from index `from` on, except those of lost machines. */
int tasks_start(struct launcher *, size_t from, struct hp_err *);

#endif

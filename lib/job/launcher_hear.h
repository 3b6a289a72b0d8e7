#ifndef HP_JOB_LAUNCHER_HEAR_H
#define HP_JOB_LAUNCHER_HEAR_H

/* Handles the messages of agents. */

#include "job/launcher_own.h"

/* The functions that the event loop calls. */
extern const struct loop_calls launcher_calls;

/*
 * Returns whether the work directory was removed, which makes the run useless.
 */
bool work_is_gone(struct launcher *);
/*
 * Gives up a machine because its connection broke, it was silent, or it broke
 * the protocol.
 */
void
lose_machine(struct launcher *, struct machine *, const struct hp_err *why);

#endif

#ifndef HP_JOB_LAUNCHER_STOP_H
#define HP_JOB_LAUNCHER_STOP_H

/* Stops steps and finds lost machines. */

#include "job/launcher_own.h"

/*
 * Stops all steps on all machines. Logs in once more to each lost machine,
 * which stays lost if it does not answer.
 */
int stop_all(struct launcher *, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_WORK_H
#define HP_CMD_HPRUN_WORK_H

/*
 * The work directory: a new one that is removed after the run, or the one of
 * --keep and --resume.  A kept directory is used by one run at a time, and only
 * by the run whose identity it has.
 */

#include "run.h"

/* Makes and enters the directory; for --resume also reads its state. */
int work_enter(struct run *, struct hp_err *);
/*
 * With --keep, writes the run's identity.  Called again when --profile has
 * changed the cluster.
 */
int work_identify(struct run *, struct hp_err *);
/* Leaves the directory, so that the guard can remove it. */
void work_leave(struct run *);

#endif

#ifndef HP_CMD_HPRUN_WORK_H
#define HP_CMD_HPRUN_WORK_H

/*
 * The work directory of a run.  It is a new directory that is removed after the
 * run, or the directory of --keep and --resume.  A kept directory is used by
 * one process at a time, and only for the run whose identity it contains.
 */

#include "run.h"

/*
 * Makes the work directory and enters it.  For --resume, also reads the state
 * of the earlier process.
 */
int work_enter(struct run *, struct hp_err *);
/*
 * With --keep, writes the run's identity.  Call this again when --profile has
 * changed the cluster file.
 */
int work_identify(struct run *, struct hp_err *);
/* Leaves the work directory, so that the guard process can remove it. */
void work_leave(struct run *);

#endif

#ifndef HP_CMD_HPRUN_WORK_H
#define HP_CMD_HPRUN_WORK_H

/*
 * The work directory: a new one that goes with the run, or that of --keep and
 * --resume, which is of one run at a time and must be of this one.
 */

#include "run.h"

/* A name that no other run has, of hex digits; the run's from then on. */
const char *work_unique(struct run *);
/* Makes and enters the directory; for --resume finds out what is done. */
int work_enter(struct run *, struct hp_err *);
/* Notes whose directory it is, once the cluster may have been measured. */
int work_identify(struct run *, struct hp_err *);
/* Removes it, unless it is kept; leaves it first. */
void work_leave(struct run *);

#endif

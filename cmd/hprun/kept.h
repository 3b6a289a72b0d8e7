#ifndef HP_CMD_HPRUN_KEPT_H
#define HP_CMD_HPRUN_KEPT_H

/*
 * --resume trusts the files that nodes have kept.  A node whose files are gone,
 * such as those in a scratch directory that ended with its job, makes the run
 * begin again.
 */

#include "run.h"

/*
 * With --keep, marks the nodes' directories.  In a resumed run, first looks for
 * the marks of the nodes that have finished steps; if one is missing, says so,
 * sets run.vanished and returns -1.
 */
int kept_check(struct run *, struct hp_err *);
/* Prepares the new attempt: keeps only the stored input. */
int kept_begin_again(struct run *, struct hp_err *);
/* `hprun --do kept FILE`: prints whether the file exists, 1 or 0. */
int kept_do(char *words[], struct hp_err *);

#endif

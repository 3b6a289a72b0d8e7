#ifndef HP_CMD_HPRUN_KEPT_H
#define HP_CMD_HPRUN_KEPT_H

/*
 * Checks that the nodes still have the files that --resume relies on.  If the
 * files of a node are gone, the run begins again.  Files in a scratch directory
 * of Slurm, for example, are removed with their job.
 */

#include "run.h"

/*
 * With --keep, writes a mark into the directory of each node.  In a resumed
 * run, first looks for the marks of the nodes that have finished steps.  If a
 * mark is missing, prints a message, sets run.vanished and returns -1.
 */
int kept_check(struct run *, struct hp_err *);
/*
 * Prepares to begin the run again.  Of the finished steps, only the copy of the
 * input is used again.
 */
int kept_begin_again(struct run *, struct hp_err *);
/* Prints 1 if the file exists, otherwise 0: `hprun --do kept FILE`. */
int kept_do(char *words[], struct hp_err *);

#endif

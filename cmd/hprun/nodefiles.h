#ifndef HP_CMD_HPRUN_NODEFILES_H
#define HP_CMD_HPRUN_NODEFILES_H

/*
 * Checks the user's files on the nodes: the parts of the input (--in-place) and
 * of the result (--leave).
 */

#include "run.h"

/*
 * Fails if several machines have the same file as their part of the input or of
 * the result, because they share a file system.  In a resumed run, fails if a
 * part of the input has changed since the run began.
 */
int nodefiles_check(struct run *, struct hp_err *);
/*
 * Prints the ranks of all nodes whose temporary result is in the directory of
 * this one: `hprun --do beside FILE`.
 */
int beside_do(char *words[], struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_NODEFILES_H
#define HP_CMD_HPRUN_NODEFILES_H

/*
 * Checks the user's files on the nodes: the parts of the input (--in-place) and
 * of the result (--leave).
 */

#include "run.h"

/*
 * Fails if several machines would write their parts of the result to the same
 * file, because they share a file system.  Warns if they seem to read the same
 * part of the input.  In a resumed run, fails if a part of the input has
 * changed since the run began.
 */
int nodefiles_check(struct run *, struct hp_err *);
/*
 * Prints the ranks of all nodes whose temporary result is in the directory of
 * this one: `hprun --do beside FILE`.
 */
int beside_do(char *words[], struct hp_err *);

#endif

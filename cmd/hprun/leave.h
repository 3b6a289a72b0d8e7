#ifndef HP_CMD_HPRUN_LEAVE_H
#define HP_CMD_HPRUN_LEAVE_H

/* Leaves the parts of the result on the nodes (--leave). */

#include "gather.h"

/*
 * Implements --leave: the parts of the result stay on the nodes, and are
 * renamed to their final names.
 */
int leave(struct run *, const struct parts *, struct hp_err *);
/*
 * Writes the document `summary` with the paths of parts that stay on nodes:
 * `hprun --do left [NODE PATH]...`.
 */
int left_do(char *words[], struct hp_err *);

#endif

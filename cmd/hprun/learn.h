#ifndef HP_CMD_HPRUN_LEARN_H
#define HP_CMD_HPRUN_LEARN_H

/*
 * --profile=learn: adds the times of the finished run to the points of the
 * nodes in the cluster file (doc/learn.h).
 */

#include "run.h"

/*
 * Call this when the run has succeeded.  If the run was too short to learn
 * from, or if a node of the file would still have no points, a message says so,
 * and the file stays as it is.
 */
int learn_write(struct run *, struct hp_err *);

#endif

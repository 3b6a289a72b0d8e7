#ifndef HP_CMD_HPRUN_LEARN_H
#define HP_CMD_HPRUN_LEARN_H

/*
 * Implements --profile=learn: adds the times of the finished sort to the points
 * of each node in the cluster file (doc/learn.h).
 */

#include "run.h"

/*
 * Adds the times of a successful sort to the cluster file.  If the sort was too
 * short, or if a node would still have no points, prints a message and leaves
 * the file unchanged.
 */
int learn_write(struct run *, struct hp_err *);

#endif

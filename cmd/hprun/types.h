#ifndef HP_CMD_HPRUN_TYPES_H
#define HP_CMD_HPRUN_TYPES_H

/*
 * Implements --profile-key: takes the times of each node from the profile of
 * its type of machine.
 */

#include "run.h"

/*
 * Asks each node for its profile key, and adds the times of this type of
 * machine to the node's line in nodes.jsonl.  Does nothing without
 * --profile-key.
 */
int types_apply(struct run *, struct hp_err *);

#endif

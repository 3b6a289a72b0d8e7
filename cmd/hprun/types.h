#ifndef HP_CMD_HPRUN_TYPES_H
#define HP_CMD_HPRUN_TYPES_H

/* --profile-key: the times of nodes come from profiles of their types. */

#include "run.h"

/*
 * Asks each node for its profile key, and adds the times of its type to its
 * line in nodes.jsonl.  Without --profile-key, does nothing.
 */
int types_apply(struct run *, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_PROFILE_H
#define HP_CMD_HPRUN_PROFILE_H

/*
 * --profile: the nodes whose speed was never measured are measured, all at
 * once, and the cluster file is written anew.
 */

#include "run.h"

int profile_nodes(struct run *, struct hp_err *);

#endif

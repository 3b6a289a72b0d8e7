#ifndef HP_CMD_HPRUN_PLACES_H
#define HP_CMD_HPRUN_PLACES_H

/*
 * Places on the nodes: the work directory of each, where it has its part of the
 * input (--in-place), and where it leaves its part of the result (--leave).
 */

#include "run.h"

int places_find(struct run *, struct hp_err *);

#endif

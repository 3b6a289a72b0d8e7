#ifndef HP_CMD_HPRUN_PLACES_H
#define HP_CMD_HPRUN_PLACES_H

/*
 * Finds the paths on each node: its work directory, its part of the input
 * (--in-place), and its part of the result (--leave).
 */

#include "run.h"

int places_find(struct run *, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_PLACES_H
#define HP_CMD_HPRUN_PLACES_H

/*
 * Paths on the nodes: each node's work directory, its part of the input
 * (--in-place), and its part of the result (--leave).
 */

#include "run.h"

int places_find(struct run *, struct hp_err *);

#endif

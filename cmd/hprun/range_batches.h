#ifndef HP_CMD_HPRUN_RANGE_BATCHES_H
#define HP_CMD_HPRUN_RANGE_BATCHES_H

/*
 * The method range with nodes of unknown speed.  The launcher has divided the
 * input by key into units.  A batch consists of successive units, so it is a
 * part of the sorted result.  A host sorts the batch and returns it to its
 * place.  Nothing is left to merge, and the nodes need no shares: a slow host
 * just sorts fewer batches.
 */

#include "run.h"

/*
 * Deals and sorts all batches.  At the end, the result is complete, but not
 * proven yet.
 */
int range_batches(struct run *, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_RANGE_BATCHES_H
#define HP_CMD_HPRUN_RANGE_BATCHES_H

/*
 * The method range in batches.  The launcher has divided the
 * input by key into units.  A batch consists of successive units, so it is a
 * part of the sorted result.  A node sorts the batch and returns it to its
 * place.  Nothing is left to merge, and the nodes need no shares: a slow node
 * just sorts fewer batches.  A node of the launcher's machine reads its batches
 * from the divided file.
 */

#include "run.h"

/*
 * Deals and sorts all batches.  At the end, the result is complete, but not
 * proven yet.
 */
int range_batches(struct run *, struct hp_err *);

#endif

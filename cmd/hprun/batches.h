#ifndef HP_CMD_HPRUN_BATCHES_H
#define HP_CMD_HPRUN_BATCHES_H

/*
 * Dealing the input in batches, for nodes of unknown speed (share/batches.h).
 * Each node sorts one batch at a time.  A host is sent its next batch while it
 * sorts.  Afterwards each node merges its batches into one run, and the shares
 * of the merge are planned by the speeds that the batches have shown.
 */

#include "run.h"

/*
 * Sets run.batched: whether this run deals in batches.  Call this when the
 * records have been counted.
 */
int batches_choose(struct run *, struct hp_err *);
/* Cuts the input into units, of which batches consist. */
int batches_divide(struct run *, struct hp_err *);
/*
 * Deals and sorts all batches.  At the end each node has a file `run`, and the
 * shares are planned.
 */
int batches_sort(struct run *, struct hp_err *);
/* Forgets the batches of an earlier attempt. */
void batches_forget(void);

#endif

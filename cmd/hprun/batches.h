#ifndef HP_CMD_HPRUN_BATCHES_H
#define HP_CMD_HPRUN_BATCHES_H

/*
 * Dealing the input in batches, for nodes of unknown speed (share/batches.h).
 * Each node sorts one batch at a time.  A host is sent its next batch while it
 * sorts.  Afterwards each node merges its batches into one run, and the shares
 * of the merge are planned by the speeds that the batches have shown.
 *
 * With the method range, the input is divided by key before.  Each batch is
 * then a part of the result, and returns to the launcher when it is sorted.
 *
 * Otherwise the batches of a node do not lie side by side in the input, so its
 * run loses the order of equal records.  Where that order counts, and with
 * methods that sort last, batches of the beginning of the input only tell the
 * speeds (a probe).  Then the whole input is dealt at once, by these speeds.
 */

#include "run.h"

/*
 * Returns whether the options allow dealing in batches.  The input must also be
 * large enough.
 */
bool batches_may_come(const struct run *);
/*
 * Divides the input by key, if it will be dealt in batches by key. Then
 * batches_deal need not do it. To be called while the launcher logs in to
 * hosts: only steps of the launcher run.
 */
int batches_divide(struct run *, struct hp_err *);
/*
 * Cuts the input into units, of which batches consist.  If batches are not
 * used, plans the shares and gives each node its part of the input instead.
 * Call this after the records were counted.  Sets run.batched and run.probed.
 */
int batches_deal(struct run *, struct hp_err *);
/*
 * Deals and sorts all batches.  At the end, each node has its sorted records in
 * a file `run`, and the shares of the merge are planned.
 */
int batches_sort(struct run *, struct hp_err *);
/*
 * Removes the list of batches of an earlier attempt, before a new attempt. Also
 * removes the input that is divided by key, unless it is divided into units: a
 * new attempt can deal these to any nodes.
 */
void batches_forget(struct run *);

#endif

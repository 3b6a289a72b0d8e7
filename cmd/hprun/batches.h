#ifndef HP_CMD_HPRUN_BATCHES_H
#define HP_CMD_HPRUN_BATCHES_H

/*
 * Dealing the input in batches, for nodes of unknown speed (share/batches.h).
 * Each node sorts one batch at a time.  A host is sent its next batch while it
 * sorts.  Afterwards each node merges its batches into one run, and the shares
 * of the merge are planned by the speeds that the batches have shown.
 *
 * With the method range, the launcher first divides the input by key.  Each
 * batch is then a part of the result, and returns to the launcher when it is
 * sorted.  Batches are then also used if the speeds are known and no node has a
 * capacity, because a host can return one batch while it receives another.
 *
 * With other methods, the batches of a node are not contiguous in the input, so
 * its run does not keep the order of equal records.  If that order matters, or
 * if the method sorts last, hprun only does a probe: the nodes sort batches
 * from the beginning of the input, which shows their speeds.  Then hprun deals
 * the whole input at once, by these speeds.
 */

#include "run.h"

/*
 * Returns whether the options allow dealing in batches.  The input must also be
 * large enough.
 */
bool batches_may_come(const struct run *);
/*
 * Divides the input by key, if it will be dealt in batches by key. Then
 * batches_deal need not divide it. All steps run on the launcher's machine, so
 * the launcher can do this while it logs in to hosts.
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

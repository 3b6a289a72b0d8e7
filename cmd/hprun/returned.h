#ifndef HP_CMD_HPRUN_RETURNED_H
#define HP_CMD_HPRUN_RETURNED_H

/*
 * The batches by key that have returned.  A batch is a part of the result, so a
 * batch that has returned as it was sent need not be sorted again, even if
 * another attempt follows after the loss of a host.
 */

#include "growing.h"

/*
 * Frees the end of the divided input, if its batches have returned in order,
 * with the records that were sent.  So most of it is free when the run ends,
 * and need not be written to the disk.
 */
void returned_free(struct growing *);
/*
 * Keeps the batches of an attempt that are right, for the case that another
 * attempt follows.  Renames the files of their summaries.
 */
void returned_keep(struct growing *);
/*
 * Begins another attempt with the kept batches, which are done.  Takes their
 * units away from those that are still to be dealt.
 */
int returned_take(struct growing *, struct hp_err *);
/* Forgets the kept batches, because the input will be divided again. */
void returned_forget(struct run *);

#endif

#ifndef HP_CMD_HPRUN_RETURNED_H
#define HP_CMD_HPRUN_RETURNED_H

/*
 * The batches by key that have returned.  A batch is a part of the result, so a
 * batch that has returned as it was sent need not be sorted again, even if
 * another attempt follows after the loss of a host.
 */

#include "growing.h"

/*
 * Frees the memory of batch b in the divided input, if its records have
 * returned in order, and are those that were sent.  It does so while other
 * batches are on the way.  Does nothing if the divided input is on a disk.
 */
void returned_free(const struct growing *, size_t b);
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

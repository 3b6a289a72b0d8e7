#ifndef HP_CMD_HPRUN_RETURNED_H
#define HP_CMD_HPRUN_RETURNED_H

/*
 * The batches by key that have returned, for another attempt after the loss of
 * a host.  A batch is a part of the result, so what has returned as it was sent
 * need not be sorted again.
 */

#include "growing.h"

/*
 * Keeps the batches of an attempt that has failed.  A batch is kept if its
 * records are in order and those of its units.
 */
int returned_keep(struct growing *, struct hp_err *);
/*
 * Begins another attempt with the kept batches, which are done.  Takes their
 * units away from those that are still to be dealt.
 */
int returned_take(struct growing *, struct hp_err *);
/* Forgets the kept batches, because the input will be divided again. */
void returned_forget(struct run *);

#endif

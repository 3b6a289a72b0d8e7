#ifndef HP_CMD_HPRUN_RETURNED_H
#define HP_CMD_HPRUN_RETURNED_H

/*
 * The batches by key that have returned to the launcher.  Each of them is a
 * part of the result.  So a batch that returned_check has accepted need not be
 * sorted again, even if a host is lost and another attempt follows.
 */

#include "growing.h"

/*
 * Checks batch b, which has returned: its records must be sorted, and must be
 * those that were sent.  Otherwise prints a message and fails.
 */
int returned_check(struct growing *, size_t b, struct hp_err *);
/*
 * Cuts off the end of the divided input, as far as its batches have returned.
 * So most of it is gone when the run ends, and need not be written to the disk.
 */
void returned_free(struct growing *);
/*
 * Keeps the batches of an attempt that have returned, for the case that another
 * attempt follows.
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

#ifndef HP_NUMBERS_TALLY_H
#define HP_NUMBERS_TALLY_H

/*
 * Counts numbers instead of sorting them if many numbers have few values:
 * numbers of 1 or 2 bytes, or numbers whose sample lies mostly in a small
 * range. The few numbers outside the range are scattered over bins.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "numbers/engine.h"

/*
 * Decides whether to count numbers instead of sorting them. If so, sets
 * s->dense, the range in which numbers are counted. Then also replaces s->cells
 * by cells for the numbers above the range. sample: n sorted keys. many: the
 * expected number of numbers.
 */
int numbers_tally_plan(struct numbers *, uint64_t *sample, size_t n,
    uint64_t many, struct hp_err *);
/* Reads and counts a batch. Returns the same values as batch_ops.read. */
int numbers_tally(struct numbers *, struct hp_err *);
/* Sets all counts to 0. */
void numbers_tally_forget(struct numbers *);
void numbers_tally_fini(struct numbers *);

#endif

#ifndef HP_NUMBERS_TALLY_H
#define HP_NUMBERS_TALLY_H

/*
 * Counts numbers instead of sorting them, if few different values occur often:
 * numbers of 1 or 2 bytes, or numbers most of which lie in a small range. The
 * few numbers outside the range are distributed over bins and sorted.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "numbers/engine.h"

/*
 * Decides whether to count how often each value occurs instead of sorting the
 * numbers. If so, sets s->dense to the range of values to count. Replaces
 * s->cells, the table that finds the bucket of a number, by a table for the
 * numbers above this range. `sample` is n sorted keys; `many` is how many
 * numbers are expected.
 */
int numbers_tally_plan(struct numbers *, uint64_t *sample, size_t n,
    uint64_t many, struct hp_err *);
/*
 * Reads a batch and counts how often each value occurs. Returns the same values
 * as the function `read` of struct batch_ops.
 */
int numbers_tally(struct numbers *, struct hp_err *);
/* Sets all counts to 0. */
void numbers_tally_forget(struct numbers *);
void numbers_tally_fini(struct numbers *);

#endif

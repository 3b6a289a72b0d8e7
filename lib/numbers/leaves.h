#ifndef HP_NUMBERS_LEAVES_H
#define HP_NUMBERS_LEAVES_H

/*
 * The last phase of a batch: each bin is sorted in the cache and written.
 */

#include <stdint.h>

#include "base/err.h"
#include "numbers/engine.h"
#include "run/dropped.h"
#include "run/output.h"

/* *records: how many numbers were written. */
int numbers_emit(
    struct numbers *, struct output *, uint64_t *records, struct hp_err *);

/* Adds n numbers of this key, which are not written, to the sum, if the sort
 * sums them up. */
void numbers_drop(
    const struct numbers *, struct dropped *, uint64_t key, uint64_t n);

#endif

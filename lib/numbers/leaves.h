#ifndef HP_NUMBERS_LEAVES_H
#define HP_NUMBERS_LEAVES_H

/* The last phase of a batch: sorts each bin in the cache and writes it. */

#include <stdint.h>

#include "base/err.h"
#include "numbers/engine.h"
#include "run/dropped.h"
#include "run/output.h"

/* Sorts and writes all bins. *records: the number of numbers written. */
int numbers_emit(
    struct numbers *, struct output *, uint64_t *records, struct hp_err *);

/*
 * If the sort counts the records that -u omits, adds n numbers with this key to
 * them.
 */
void numbers_drop(
    const struct numbers *, struct dropped *, uint64_t key, uint64_t n);

#endif

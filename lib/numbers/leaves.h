#ifndef HP_NUMBERS_LEAVES_H
#define HP_NUMBERS_LEAVES_H

/*
 * The last phase of a batch: sorts each bin (the numbers of one range of keys)
 * in the processor cache, and writes it.
 */

#include <stdint.h>

#include "base/err.h"
#include "numbers/engine.h"
#include "run/dropped.h"
#include "run/output.h"

/*
 * Sorts and writes all bins. Stores the number of written numbers in *records.
 */
int numbers_emit(
    struct numbers *, struct output *, uint64_t *records, struct hp_err *);

/*
 * Adds n numbers with this key to the count and checksum of the records that -u
 * omits. Does nothing if the caller does not need the checksum.
 */
void numbers_drop(
    const struct numbers *, struct dropped *, uint64_t key, uint64_t n);

#endif

#ifndef HP_BUCKET_PASS_H
#define HP_BUCKET_PASS_H

/*
 * One pass over the input: reads it into buckets, then sorts and writes these.
 * The phases are described in engine.h. A batch takes one pass, or one per
 * round (rounds.h).
 */

#include <stdint.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "run/output.h"

/* Reads the input into buckets. Returns the same values as batch_ops.read. */
int buckets_fill(struct buckets *, struct hp_err *);
/* Sorts and writes the buckets, and empties the memory. */
int buckets_sort(
    struct buckets *, struct output *, uint64_t *records, struct hp_err *);

#endif

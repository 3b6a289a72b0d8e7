#ifndef HP_BUCKET_PASS_H
#define HP_BUCKET_PASS_H

/*
 * One pass over the input, into buckets and out of them: the phases of
 * engine.h, one after the other.  A batch takes one pass, or one for each
 * round.
 */

#include <stdint.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "run/output.h"

/* Reads the input into buckets.  Returns as batch_ops.read. */
int buckets_fill(struct buckets *, struct hp_err *);
/* Sorts and writes the buckets, and empties the memory. */
int buckets_sort(
    struct buckets *, struct output *, uint64_t *records, struct hp_err *);

#endif

#ifndef HP_BUCKET_PASS_H
#define HP_BUCKET_PASS_H

/*
 * One pass over the input: threads read it and distribute its records over
 * buckets, then sort the buckets and write them. engine.h describes these
 * phases. A batch (the records that fit into memory) takes one pass. It takes
 * several passes if each copies only the records of some buckets, to save
 * memory (rounds.h).
 */

#include <stdint.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "run/output.h"

/*
 * Reads the input and distributes its records over buckets. Returns the same
 * values as the function `read` of struct batch_ops.
 */
int buckets_fill(struct buckets *, struct hp_err *);
/* Sorts and writes the buckets, then releases the memory of their elements. */
int buckets_sort(
    struct buckets *, struct output *, uint64_t *records, struct hp_err *);

#endif

#ifndef HP_BUCKET_PASS_H
#define HP_BUCKET_PASS_H

/*
 * One pass over the input: threads distribute its records over buckets, then
 * sort and write the buckets. engine.h describes these phases. A batch takes
 * one pass, or several if only the records of some buckets are copied at a time
 * (rounds.h).
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

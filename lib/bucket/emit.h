#ifndef HP_BUCKET_EMIT_H
#define HP_BUCKET_EMIT_H

/*
 * The last phase of a batch: each thread takes a group of buckets, sorts each
 * bucket in the processor cache, copies the records to a buffer in sorted
 * order, and writes the buffer.
 */

#include <stdint.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "run/output.h"

/*
 * Sorts and writes all buckets. Stores the number of written records in
 * *records.
 */
int buckets_emit(
    struct buckets *, struct output *, uint64_t *records, struct hp_err *);

#endif

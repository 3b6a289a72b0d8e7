#ifndef HP_BUCKET_EMIT_H
#define HP_BUCKET_EMIT_H

/*
 * The last phase of a batch: each thread takes the next buckets, sorts them in
 * the cache, gathers their records in a buffer and writes them.
 */

#include <stdint.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "run/output.h"

/* Sorts and writes all buckets. *records: the number of records written. */
int buckets_emit(
    struct buckets *, struct output *, uint64_t *records, struct hp_err *);

#endif

#ifndef HP_BUCKET_READING_H
#define HP_BUCKET_READING_H

/*
 * The first phase of a batch: all threads read blocks of the input and append
 * an element for each record to the list of its bucket.
 */

#include "base/err.h"
#include "bucket/engine.h"
#include "kernel/pile.h"

/*
 * Reads a batch. pile: one per thread. Returns the same values as
 * batch_ops.read. If the engine works in rounds (rounds.h), the first pass only
 * notes the bucket of each record. Each later pass moves the records of one
 * round.
 */
int buckets_distribute(struct buckets *, struct pile *, struct hp_err *);

#endif

#ifndef HP_BUCKET_READING_H
#define HP_BUCKET_READING_H

/*
 * The first phase of a batch: all threads read blocks of the input. For each
 * record a thread appends an element to its list of the record's bucket.
 */

#include "base/err.h"
#include "bucket/engine.h"
#include "kernel/pile.h"

/*
 * Reads a batch. `pile` is an array with the lists of each thread. Returns the
 * same values as the function `read` of struct batch_ops. With rounds
 * (rounds.h), the first pass over the input only finds the bucket of each
 * record. Each later pass copies the records of some buckets.
 */
int buckets_distribute(struct buckets *, struct pile *, struct hp_err *);

#endif

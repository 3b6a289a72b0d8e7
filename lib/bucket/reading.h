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
 * Reads a batch and puts its records into buckets. Each thread has a list for
 * each bucket; `pile` is the array of these lists. Returns the same values as
 * the function `read` of struct batch_ops. With rounds (rounds.h), the first
 * pass over the input finds the bucket of each record, without copying it.
 * Each later pass copies the records of some of the buckets.
 */
int buckets_distribute(struct buckets *, struct pile *, struct hp_err *);

#endif

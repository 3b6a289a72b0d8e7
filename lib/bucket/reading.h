#ifndef HP_BUCKET_READING_H
#define HP_BUCKET_READING_H

/*
 * The first phase of a batch: all threads read blocks of the input and append
 * the elements of their records to the lists of the first buckets.
 */

#include "base/err.h"
#include "bucket/engine.h"
#include "kernel/pile.h"

/* pile: one for each thread.  Returns as batch_ops.read.  If the engine works
 * in rounds, notes the records' buckets, or moves the records of one round. */
int buckets_distribute(struct buckets *, struct pile *, struct hp_err *);

#endif

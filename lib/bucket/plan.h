#ifndef HP_BUCKET_PLAN_H
#define HP_BUCKET_PLAN_H

/*
 * Takes a sample of the input. From the sample it chooses the first buckets
 * (ranges of keys), and whether records are copied to them or referred to by
 * address.
 */

#include "base/err.h"
#include "bucket/engine.h"

/*
 * Call this function before the first batch is read. It waits for the first
 * data of a pipe.
 */
int buckets_plan(struct buckets *, struct hp_err *);

#endif

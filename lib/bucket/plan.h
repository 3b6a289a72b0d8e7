#ifndef HP_BUCKET_PLAN_H
#define HP_BUCKET_PLAN_H

/*
 * The choice of the first buckets by a sample of the input, and of the kind of
 * elements that they hold.
 */

#include "base/err.h"
#include "bucket/engine.h"

/* Before the first batch.  Waits for the first block of a pipe. */
int buckets_plan(struct buckets *, struct hp_err *);

#endif

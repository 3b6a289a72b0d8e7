#ifndef HP_BUCKET_PLAN_H
#define HP_BUCKET_PLAN_H

/*
 * Chooses the first buckets from a sample of the input, and the kind of their
 * elements.
 */

#include "base/err.h"
#include "bucket/engine.h"

/* Call before the first batch. Waits for the first block of a pipe. */
int buckets_plan(struct buckets *, struct hp_err *);

#endif

#ifndef HP_BUCKET_PLAN_H
#define HP_BUCKET_PLAN_H

/*
 * Reads a sample of the input. From the sample it chooses the ranges of keys of
 * the first buckets, and how records are represented in them.
 */

#include "base/err.h"
#include "bucket/engine.h"

/*
 * Call this function before the first batch is read. It waits for the first
 * data of a pipe.
 */
int buckets_plan(struct buckets *, struct hp_err *);

#endif

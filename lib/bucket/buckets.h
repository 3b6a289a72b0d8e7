#ifndef HP_BUCKET_BUCKETS_H
#define HP_BUCKET_BUCKETS_H

/*
 * The engine that sorts batches of records which are not numbers.  engine.h
 * tells how.
 */

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "record/order.h"
#include "run/batch.h"

/*
 * The budget is divided by this.  The input stays open as long as the engine
 * exists.  Returns NULL on failure; batch_fini frees the engine.
 */
struct batch *buckets_new(const struct order *, struct input *,
    const struct budget *, struct hp_err *);

#endif

#ifndef HP_BUCKET_BUCKETS_H
#define HP_BUCKET_BUCKETS_H

/*
 * The engine that sorts batches of records that are not numbers; engine.h
 * describes it.
 */

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "record/order.h"
#include "run/batch.h"

/*
 * Makes the engine and divides the budget. The input must stay open as long as
 * the engine exists. Returns NULL on failure. Free the engine with batch_fini.
 */
struct batch *buckets_new(const struct order *, struct input *,
    const struct budget *, struct hp_err *);

#endif

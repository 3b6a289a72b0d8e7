#ifndef HP_BUCKET_BUCKETS_H
#define HP_BUCKET_BUCKETS_H

/*
 * The engine that sorts batches of lines and binary records. A batch is as many
 * records as fit into memory. Another engine sorts binary numbers.
 */

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "record/order.h"
#include "run/batch.h"

/*
 * Creates the engine and divides its memory budget. The input must stay open as
 * long as the engine exists. Returns NULL on failure. The caller frees the
 * engine with batch_fini.
 */
struct batch *buckets_new(const struct order *, struct input *,
    const struct budget *, struct hp_err *);

#endif

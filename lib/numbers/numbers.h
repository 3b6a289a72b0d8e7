#ifndef HP_NUMBERS_NUMBERS_H
#define HP_NUMBERS_NUMBERS_H

/*
 * The engine that sorts batches of binary numbers. A batch is as many numbers
 * as fit into memory. Another engine sorts lines and records.
 */

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "record/order.h"
#include "run/batch.h"

/*
 * Creates the engine for an order of binary numbers, and divides its
 * memory budget. The input must stay open as long as the engine exists. Waits
 * for the first data of a pipe, because it takes a sample. Returns NULL on
 * failure. The caller frees the engine with batch_fini.
 */
struct batch *numbers_new(const struct order *, struct input *,
    const struct budget *, struct hp_err *);

#endif

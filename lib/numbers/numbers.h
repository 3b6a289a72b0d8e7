#ifndef HP_NUMBERS_NUMBERS_H
#define HP_NUMBERS_NUMBERS_H

/* The engine that sorts batches of numbers; engine.h describes it. */

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "record/order.h"
#include "run/batch.h"

/*
 * Makes the engine for an order of format FORMAT_NUMBER and divides the budget.
 * The input must stay open as long as the engine exists. Samples the first
 * numbers of the input, so it waits for the first data of a pipe. Returns NULL
 * on failure. Free the engine with batch_fini.
 */
struct batch *numbers_new(const struct order *, struct input *,
    const struct budget *, struct hp_err *);

#endif

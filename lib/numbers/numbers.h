#ifndef HP_NUMBERS_NUMBERS_H
#define HP_NUMBERS_NUMBERS_H

/*
 * The engine that sorts batches of numbers.  engine.h tells how.
 */

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "record/order.h"
#include "run/batch.h"

/*
 * The order's format is FORMAT_NUMBER.  The budget is divided by this.  The
 * input stays open as long as the engine exists.  Looks at the first numbers of
 * the input, which for a pipe means to wait for them.  Returns NULL on failure;
 * batch_fini frees the engine.
 */
struct batch *numbers_new(const struct order *, struct input *,
    const struct budget *, struct hp_err *);

#endif

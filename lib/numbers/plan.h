#ifndef HP_NUMBERS_PLAN_H
#define HP_NUMBERS_PLAN_H

/*
 * The choice of the bins by a sample of the input, and whether numbers are
 * counted instead.
 */

#include "base/err.h"
#include "numbers/engine.h"

/* Sets cells, dense, want and batch.counted; threads becomes 1 for few numbers.
 * Waits for the first block of a pipe. */
int numbers_plan(struct numbers *, struct hp_err *);

#endif

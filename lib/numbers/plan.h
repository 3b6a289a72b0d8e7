#ifndef HP_NUMBERS_PLAN_H
#define HP_NUMBERS_PLAN_H

/*
 * Chooses the bins from a sample of the input, and decides whether numbers are
 * counted instead of sorted.
 */

#include "base/err.h"
#include "numbers/engine.h"

/*
 * Sets cells, dense, want and batch.counted. Reduces threads to 1 for few
 * numbers. Waits for the first block of a pipe.
 */
int numbers_plan(struct numbers *, struct hp_err *);

#endif

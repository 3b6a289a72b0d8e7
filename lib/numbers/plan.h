#ifndef HP_NUMBERS_PLAN_H
#define HP_NUMBERS_PLAN_H

/*
 * Chooses the bins from a sample of the input. A bin is a range of keys. Also
 * decides whether numbers are counted instead of sorted.
 */

#include "base/err.h"
#include "numbers/engine.h"

/*
 * Sets the members cells, dense, want and batch.counted from a sample of the
 * input. Reduces threads to 1 if there are few numbers. Waits for the first
 * data of a pipe.
 */
int numbers_plan(struct numbers *, struct hp_err *);

#endif

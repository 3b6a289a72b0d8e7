#ifndef HP_NUMBERS_SPLIT_H
#define HP_NUMBERS_SPLIT_H

/*
 * Divides bins that are too large to be sorted in the cache. Each of them is
 * sampled anew. Such bins occur where the first sample was too coarse. The
 * range of a new sample is less than half of the previous cells' width, so a
 * few rounds suffice.
 */

#include "base/err.h"
#include "numbers/engine.h"

/*
 * Divides bins until none has more than s->leaf numbers, except bins of equal
 * numbers.
 */
int numbers_split(struct numbers *, struct hp_err *);

#endif

#ifndef HP_NUMBERS_SPLIT_H
#define HP_NUMBERS_SPLIT_H

/*
 * Divides bins that are too large to be sorted in the processor cache. Such
 * bins occur where the sample of the input was too coarse, so each of them is
 * sampled anew. A new sample covers less than half of the previous range, so a
 * few rounds suffice.
 */

#include "base/err.h"
#include "numbers/engine.h"

/*
 * Divides bins until none has more than s->leaf numbers. Bins whose numbers are
 * all equal may be larger.
 */
int numbers_split(struct numbers *, struct hp_err *);

#endif

#ifndef HP_NUMBERS_SPLIT_H
#define HP_NUMBERS_SPLIT_H

/*
 * Bins that are too large to be sorted in the cache are divided again, by a
 * sample of their own.  This happens where the first sample was not fine
 * enough. The keys of the new sample span less than half of the last cells, so
 * a few rounds suffice.
 */

#include "base/err.h"
#include "numbers/engine.h"

/* Afterwards no bin has more than s->leaf numbers, except equal ones. */
int numbers_split(struct numbers *, struct hp_err *);

#endif

#ifndef HP_SORT_COPYING_H
#define HP_SORT_COPYING_H

/*
 * Writes text that is already in order to the output, forwards or backwards,
 * with all threads.
 */

#include "base/err.h"
#include "run/output.h"
#include "sort/walkers.h"

/*
 * Writes all strides in increasing order, from the output's position on.
 * Returns 1, or -1 on error. If k->look is set, each stride is checked before
 * it is written. Returns 0 if one is not in order, and restores the output's
 * position.
 */
int walkers_copy(struct walkers *, struct output *, struct hp_err *);

#endif

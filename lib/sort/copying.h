#ifndef HP_SORT_COPYING_H
#define HP_SORT_COPYING_H

/*
 * Writing text that is in order, forwards or backwards, by all threads.
 */

#include "base/err.h"
#include "run/output.h"
#include "sort/walkers.h"

/*
 * Writes all strides from the output's position on, in rising order.  Returns
 * 1, -1, or, if it looks at each stride first, 0 if one is not in order; then
 * the output's position is what it was.
 */
int walkers_copy(struct walkers *, struct output *, struct hp_err *);

#endif

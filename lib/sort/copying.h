#ifndef HP_SORT_COPYING_H
#define HP_SORT_COPYING_H

/*
 * Writes text that is in order, or in reverse order, to the output in the right
 * order. All threads copy.
 */

#include "base/err.h"
#include "run/output.h"
#include "sort/walkers.h"

/*
 * Writes all strides (numbered parts of the text) from the output's current
 * position on. Returns 1, or -1 on error. If k->look is set, checks each stride
 * before it writes it: returns 0 if one is not in order, and moves the output
 * back to its position.
 */
int walkers_copy(struct walkers *, struct output *, struct hp_err *);

#endif

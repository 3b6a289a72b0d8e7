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
 * Writes the whole text to the output. If k->look is set, checks the order of
 * each stride (part of the text) before writing it. Returns 1 if all is
 * written. Returns 0 if a stride is not in order; the output position is then
 * where it was before. Returns -1 on error.
 */
int walkers_copy(struct walkers *, struct output *, struct hp_err *);

#endif

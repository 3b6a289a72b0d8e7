#ifndef HP_CMD_HPRUN_METHOD_H
#define HP_CMD_HPRUN_METHOD_H

/*
 * Chooses the method of a sort for which -a names none: range where it is
 * faster, otherwise exact.  If the speeds and links are known, plans tell which
 * one is faster (estimate.h).
 */

#include "run.h"

/*
 * Returns whether the method may be range, by the options: -a names no method,
 * no other option contradicts range, and the hosts can return the result in
 * batches.
 */
bool method_may_be_range(const struct run *);
/*
 * Chooses range if the speeds are unknown and the launcher can divide the input
 * faster than the nodes could exchange it.  Changes range to exact if the
 * launcher has no room for the copy of the input that range needs.  Keeps a
 * method that -a names.  Call this in the work directory, when the nodes are
 * known.
 */
void method_choose(struct run *);

#endif

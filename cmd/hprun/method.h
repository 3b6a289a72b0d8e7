#ifndef HP_CMD_HPRUN_METHOD_H
#define HP_CMD_HPRUN_METHOD_H

/*
 * The method of a sort for which -a names none: range where it is faster,
 * otherwise exact.  If the speeds and links are known, plans tell which one is
 * faster (estimate.h), otherwise default.h chooses.
 */

#include "run.h"

/*
 * Returns whether the method may be range, by the options: -a names no method,
 * no other option contradicts range, and the nodes can return the result in
 * batches.
 */
bool method_may_be_range(const struct run *);
#endif

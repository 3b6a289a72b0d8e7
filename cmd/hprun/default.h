#ifndef HP_CMD_HPRUN_DEFAULT_H
#define HP_CMD_HPRUN_DEFAULT_H

/* Chooses the method of a sort when the nodes are known (method.h). */

#include "run.h"

/*
 * Chooses range if no plan covers all stages, several nodes can sort the input
 * in batches, some of them on hosts, and the launcher can divide the input
 * faster than the nodes could exchange it.  Changes range to exact if no
 * node is on a host, or if the launcher has no room for the copy of the input
 * that range needs.  Keeps a method that -a names.  Call this in the work
 * directory, when the nodes are known.
 */
void default_method(struct run *);

#endif

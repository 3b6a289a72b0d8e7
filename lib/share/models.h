#ifndef HP_SHARE_MODELS_H
#define HP_SHARE_MODELS_H

/* Checks the models of the nodes: how the time of each depends on its items. */

#include "share/problem.h"

/*
 * Fails with HP_USAGE if nothing is known of the speed of a node, and with
 * HP_NOSHARE if the nodes together cannot hold all items. Also fails with
 * HP_USAGE if the cost function is not valid. Sets *unproven if it is not known
 * to rise: no plan is then proven optimal.
 */
int models_check(const struct problem *, bool *unproven, struct hp_err *);

#endif

#ifndef HP_SHARE_MODELS_H
#define HP_SHARE_MODELS_H

/* Checks the models of the nodes: how the time of each depends on its items. */

#include "share/problem.h"

/*
 * Fails with HP_INPUT if nothing is known about the speed of a node, and with
 * HP_USAGE if the cost function is not valid. Fails with HP_NOSHARE if the
 * nodes together cannot hold all items. Sets *unproven if the cost function may
 * decrease. Then no plan is proven optimal.
 */
int models_check(const struct problem *, bool *unproven, struct hp_err *);

#endif

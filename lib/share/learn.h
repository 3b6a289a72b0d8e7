#ifndef HP_SHARE_LEARN_H
#define HP_SHARE_LEARN_H

/*
 * Learns one cost function from the measurements of all nodes. The nodes'
 * relative speeds divide this cost (Cérin, Dubacq and Roch 2006, section 3.3).
 *
 * If some node has a given speed, the given speeds are used, and a node without
 * one has speed 1. Otherwise the speeds are measured at a common size: the
 * largest number of items that every measured node has done. They are scaled so
 * that the fastest is 1. A node without measurements gets their mean.
 */

#include "cost/learned.h"
#include "share/cluster.h"

/*
 * Learns one cost function from the measured points of all nodes. Stores the
 * function in *cost, which the caller frees, and the nodes' speeds in k[p].
 * `how` tells how measurements of the same size are combined.
 */
int learn_cost(const struct cluster *, enum merge how, double *k, struct cost *,
    struct hp_err *);

/*
 * Learns one cost function from the measured points of all nodes, and uses it
 * for all nodes instead of the points. Each node can then take at most the
 * largest size measured on it. A node without measurements can take the largest
 * size measured on any node, because the learned cost ends there. The cost must
 * outlive the cluster.
 */
int
cluster_learn(struct cluster *, enum merge how, struct cost *, struct hp_err *);

#endif

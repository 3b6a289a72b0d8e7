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
 * Learns a cost. Stores the nodes' speeds in k[p] and the learned cost in
 * *cost, which the caller frees. `how` says how to merge measurements of the
 * same size.
 */
int learn_cost(const struct cluster *, enum merge how, double *k, struct cost *,
    struct hp_err *);

/*
 * Learns a cost and makes it the model of all nodes, in place of their points.
 * Each node keeps the largest size that it measured as its limit. A node
 * without measurements gets the largest size of any node, because the learned
 * cost ends there. The cost must outlive the cluster.
 */
int
cluster_learn(struct cluster *, enum merge how, struct cost *, struct hp_err *);

#endif

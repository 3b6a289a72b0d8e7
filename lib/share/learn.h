#ifndef HP_SHARE_LEARN_H
#define HP_SHARE_LEARN_H

/*
 * One cost function from what all nodes measured, which their speeds divide
 * (Cérin, Dubacq and Roch 2006, section 3.3).
 *
 * Speeds that are given count; a node without one then has 1.  Where none is
 * given they come from a first batch, in which all had the same number of
 * items, the most that every measured node has done: the speeds there over the
 * fastest, and their mean for a node that measured nothing.
 */

#include "cost/learned.h"
#include "share/cluster.h"

/*
 * k[p]: the speeds; the cost is learned as `how` says.  The cost's caller frees
 * it.
 */
int learn_cost(const struct cluster *, enum merge how, double *k, struct cost *,
    struct hp_err *);

/*
 * The same as the nodes' model: their points are gone then, and only the most
 * items measured stay known.  For a node that was not measured that is the most
 * of any node, as it is where the learned cost ends.  The cost must outlive the
 * cluster.
 */
int
cluster_learn(struct cluster *, enum merge how, struct cost *, struct hp_err *);

#endif

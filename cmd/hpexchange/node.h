#ifndef HP_CMD_HPEXCHANGE_NODE_H
#define HP_CMD_HPEXCHANGE_NODE_H

/* Runs the exchange for one node of the cluster. */

#include "doc/cluster.h"
#include "doc/extents.h"
#include "opts.h"

/*
 * Runs the exchange as the node with rank `me`.  The extents are those of the
 * option -x: the parts of the input that the node sends.
 */
int node_run(const struct opts *, const struct cluster *, size_t me,
    const struct extents *, struct hp_err *);

#endif

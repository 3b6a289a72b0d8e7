#ifndef HP_CMD_HPEXCHANGE_NODE_H
#define HP_CMD_HPEXCHANGE_NODE_H

/* One node's part of the exchange. */

#include "doc/cluster.h"
#include "doc/extents.h"
#include "opts.h"

/* Runs the exchange as node `me`. The extents are those of the option -x. */
int node_run(const struct opts *, const struct cluster *, size_t me,
    const struct extents *, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_NODES_H
#define HP_CMD_HPRUN_NODES_H

/*
 * Finds the nodes.  They come from a cluster file, or are processes of this
 * machine.
 */

#include "run.h"

/*
 * Sets run.cluster to the file of -C.  Without -C, sets run.node_lines to
 * generated lines of a cluster file instead.  Call this once.
 */
int nodes_source(struct run *, struct hp_err *);
/* Reads all nodes, except the nodes of --without and nodes that were lost. */
int nodes_read(struct run *, struct hp_err *);

#endif

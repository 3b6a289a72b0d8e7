#ifndef HP_CMD_HPRUN_NODES_H
#define HP_CMD_HPRUN_NODES_H

/*
 * The nodes of the run come from a cluster file or are processes of this
 * machine.
 */

#include "run.h"

/*
 * Sets run.cluster to the file of -C, or else run.node_lines to generated
 * lines.  Called once.
 */
int nodes_source(struct run *, struct hp_err *);
/* Reads all nodes except those of --without and those that were lost. */
int nodes_read(struct run *, struct hp_err *);

#endif

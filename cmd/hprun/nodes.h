#ifndef HP_CMD_HPRUN_NODES_H
#define HP_CMD_HPRUN_NODES_H

/*
 * The nodes of the run: of a cluster file, or processes of this machine.
 */

#include "run.h"

/* Once: run.cluster, the file of -C, or run.node_lines in place of one. */
int nodes_source(struct run *, struct hp_err *);
/* All nodes but those of --without and those that were lost. */
int nodes_read(struct run *, struct hp_err *);
void nodes_free(struct run *);

#endif

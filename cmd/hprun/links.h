#ifndef HP_CMD_HPRUN_LINKS_H
#define HP_CMD_HPRUN_LINKS_H

/*
 * How the nodes reach each other in the exchange.  Every node gets
 * cluster.jsonl, which has the nodes' directories and ports.  With tcp it also
 * gets the key that authenticates the run's connections.
 */

#include "run.h"

/* Writes nodes.jsonl: the cluster's lines of the nodes that take part. */
int links_source(struct run *, struct hp_err *);
/* -R: sends all nodes the same random bytes, so that they use one order. */
int links_random(struct run *, struct hp_err *);
int make_links(struct run *, struct hp_err *);
/* Copies a file of the launcher to every node, readable by its owner only. */
int put_everywhere(struct run *, const char *file, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_LINKS_H
#define HP_CMD_HPRUN_LINKS_H

/*
 * Tells each node how to reach the others in the exchange.  Every node gets
 * cluster.jsonl, which has the nodes' directories and ports.  With TCP it also
 * gets the key that authenticates connections.
 */

#include "run.h"

/*
 * Writes nodes.jsonl, which has the line of the cluster file for each node that
 * takes part.
 */
int links_source(struct run *, struct hp_err *);
/*
 * For -R, sends all nodes the same random bytes, so that their random orders
 * are the same.
 */
int links_random(struct run *, struct hp_err *);
int make_links(struct run *, struct hp_err *);
/*
 * Copies a file of the launcher to every node.  Only its owner may read the
 * copy.
 */
int put_everywhere(struct run *, const char *file, struct hp_err *);

#endif

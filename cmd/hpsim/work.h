#ifndef HP_CMD_HPSIM_WORK_H
#define HP_CMD_HPSIM_WORK_H

/*
 * The sort to simulate: the nodes of the cluster, and the number of items of
 * each node.
 */

#include "cost/cost.h"
#include "opts.h"
#include "share/cluster.h"

struct work {
	struct cluster cluster;
	struct cost cost;
	uint64_t total;	   /* items of all nodes */
	uint64_t *n;	   /* items by rank */
	double item_bytes; /* mean bytes of an item */
};

/*
 * Reads the cluster file, and reads the shares from the plan or computes them.
 */
int work_read(const struct opts *, struct work *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void work_fini(struct work *);

/*
 * Returns the link that carries the data of a node.  This is the node's own
 * link.  A node without host and link uses the launcher's link.
 */
const struct link *work_link(const struct work *, size_t rank);
/* Returns whether a node is on the launcher's machine, and so uses its link. */
bool work_at_launcher(const struct work *, size_t rank);

#endif

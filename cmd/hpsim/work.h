#ifndef HP_CMD_HPSIM_WORK_H
#define HP_CMD_HPSIM_WORK_H

/* The sort to simulate: its nodes, and the number of items of each node. */

#include "cost/cost.h"
#include "opts.h"
#include "share/cluster.h"

struct work {
	struct cluster cluster;
	struct cost cost;
	uint64_t total;	   /* items of all nodes */
	uint64_t *n;	   /* items by rank */
	double item_bytes; /* mean size of an item */
};

/* Reads the cluster and reads or computes the shares. */
int work_read(const struct opts *, struct work *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void work_fini(struct work *);

/*
 * Returns the link that the node's data passes: its own; that of the launcher
 * if it has no host and no link.
 */
const struct link *work_link(const struct work *, size_t rank);
/* Returns whether the node's data passes the launcher's link. */
bool work_at_launcher(const struct work *, size_t rank);

#endif

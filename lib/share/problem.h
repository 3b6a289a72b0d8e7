#ifndef HP_SHARE_PROBLEM_H
#define HP_SHARE_PROBLEM_H

/* The input and the output of the methods that divide items among nodes. */

#include "share/cluster.h"

struct problem {
	const struct cluster *cluster;
	uint64_t total; /* items to divide */
	/* number of items in a block for dynamic programming; 0: not given */
	uint64_t block;
	/*
	 * mean size of an item in bytes; 0: the time of transfers does not
	 * count
	 */
	double item_bytes;
	/*
	 * The launcher divides the items by key before it sends them, so that a
	 * whole run has no search for pivots, no exchange and no merge.
	 */
	bool by_key;
	/*
	 * With by_key: the nodes get their items in batches. Each node returns
	 * a batch while it receives another one (stages_batched).
	 */
	bool batches;
};

struct division {
	uint64_t *n; /* [p] shares by rank; the caller's storage */
	/*
	 * how many shares of a formula's result were negative; they were set to
	 * 0
	 */
	size_t clamped;
	/*
	 * proven lower bound of the makespan of all plans, in seconds; 0:
	 * unknown
	 */
	double bound;
	/*
	 * how often a search has computed the shares of all nodes for a time
	 * limit; 0: there was no search
	 */
	unsigned steps;
};

#endif

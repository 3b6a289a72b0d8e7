#ifndef HP_SHARE_PROBLEM_H
#define HP_SHARE_PROBLEM_H

/*
 * The input and output of a method: the items to divide, the nodes, and the
 * shares.
 */

#include "share/cluster.h"

struct problem {
	const struct cluster *cluster;
	uint64_t total; /* items to divide */
	uint64_t block; /* block size for the dynamic program; 0: not given */
	double item_bytes; /* mean size of an item; 0: links do not count */
};

struct division {
	uint64_t *n; /* [p] shares by rank; the caller's storage */
	/*
	 * number of negative shares in the formula's result; they were set to 0
	 */
	size_t clamped;
	/* proven lower bound of all makespans, in seconds; 0: unknown */
	double bound;
	/* how often a search computed the shares of all nodes; 0: no search */
	unsigned steps;
};

#endif

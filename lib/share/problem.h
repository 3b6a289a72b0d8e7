#ifndef HP_SHARE_PROBLEM_H
#define HP_SHARE_PROBLEM_H

/* What is to be divided, among whom, and what came out. */

#include "share/cluster.h"

struct problem {
	const struct cluster *cluster;
	uint64_t total; /* items */
	uint64_t block; /* of the dynamic program; 0: not asked for */
};

struct division {
	uint64_t *n;	/* [p] shares by rank, the caller's storage */
	size_t clamped; /* shares that the formula makes negative: they are 0 */
};

#endif

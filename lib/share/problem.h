#ifndef HP_SHARE_PROBLEM_H
#define HP_SHARE_PROBLEM_H

/* What is to be divided, and among whom. */

#include "share/cluster.h"

struct problem {
	const struct cluster *cluster;
	uint64_t total; /* items */
	uint64_t block; /* of the dynamic program; 0: not asked for */
};

#endif

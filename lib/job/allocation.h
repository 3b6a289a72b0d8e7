#ifndef HP_JOB_ALLOCATION_H
#define HP_JOB_ALLOCATION_H

/*
 * The nodes that Slurm has allocated to this job, from the environment of
 * salloc(1) and sbatch(1). A heterogeneous job has several components, each
 * with nodes of its own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	/* number that stands for the whole job, if the job has no components */
	ALLOCATION_WHOLE = -1
};

struct allocated {
	char *name;
	uint64_t processors; /* allocated to the job there; 0: unknown */
	int component;
};

struct allocation {
	struct allocated *node; /* a node of two components occurs once */
	size_t n, cap;
};

/*
 * Returns the number of the Slurm job as text. Returns NULL if this process
 * runs outside of an allocation.
 */
const char *allocation_job(void);
/* Fails with HP_USAGE outside of an allocation. */
int allocation_read(struct allocation *, struct hp_err *);
/* Returns the allocated node of this name. Returns NULL if there is none. */
const struct allocated *
allocation_find(const struct allocation *, const char *name);
/* Harmless on a zeroed struct. */
void allocation_fini(struct allocation *);

#endif

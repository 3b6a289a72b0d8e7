#ifndef HP_CMD_HPRUN_SLURM_H
#define HP_CMD_HPRUN_SLURM_H

/*
 * Runs inside an allocation of Slurm: the nodes come from the allocation, and
 * srun(1) starts their agents.
 */

#include "run.h"

/*
 * Sets run.launch to the method of --launch. Without the option it is slurm
 * inside an allocation, and NULL elsewhere. Reads the allocation for slurm.
 */
int slurm_choose(struct run *, struct hp_err *);
/* Tells whether srun starts the agents of hosts. */
bool slurm_is_used(const struct run *);
/*
 * Returns a line of hp-cluster(5) for each node of the allocation, which the
 * caller frees. The speed of a node is its number of allocated processors.
 */
char *slurm_lines(const struct run *, struct hp_err *);
/* Checks that the host of each node is in the allocation. */
int slurm_check(const struct run *, struct hp_err *);
/* Returns the component of the job that has the host, which may be NULL. */
int slurm_component(const struct run *, const char *host);
/*
 * Returns the directory for temporary files of the job, as an absolute path, or
 * NULL if there is none. The caller frees it.
 */
char *slurm_scratch(const struct run *);

#endif

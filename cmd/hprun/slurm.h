#ifndef HP_CMD_HPRUN_SLURM_H
#define HP_CMD_HPRUN_SLURM_H

/*
 * Runs hprun inside an allocation of Slurm.  The nodes come from the
 * allocation, and srun(1) starts their agents.
 */

#include "run.h"

/*
 * Sets run.launch to the method of --launch.  Without that option, the method
 * is slurm inside an allocation, and NULL elsewhere.  For slurm, reads the
 * allocation.
 */
int slurm_choose(struct run *, struct hp_err *);
/* Returns whether srun starts the agents on hosts. */
bool slurm_is_used(const struct run *);
/*
 * Returns a line of hp-cluster(5) for each node of the allocation.  The speed
 * of a node is its number of allocated processors.  The caller frees the text.
 */
char *slurm_lines(const struct run *, struct hp_err *);
/* Checks that the host of each node is in the allocation. */
int slurm_check(const struct run *, struct hp_err *);
/*
 * Returns the number of the component of the Slurm job that contains the host.
 * `host` may be NULL.
 */
int slurm_component(const struct run *, const char *host);
/*
 * Returns the absolute path of the job's directory for temporary files, or NULL
 * if there is none.  The caller frees it.
 */
char *slurm_scratch(const struct run *);

#endif

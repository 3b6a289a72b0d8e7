#ifndef HP_CMD_HPRUN_MPI_H
#define HP_CMD_HPRUN_MPI_H

/*
 * The exchange by hpexchange-mpi: one step of the launcher, which starts the
 * processes of all nodes by mpirun, or by srun in a job of Slurm.
 */

#include "run.h"

/* Checks whether the command that starts the processes can be used. */
int mpi_check(const struct run *, struct hp_err *);
/* Tells whether an exchange by MPI has failed in this run. */
bool mpi_has_failed(const struct run *);
/*
 * Sends the extents of the nodes' file. *done tells whether all records have
 * arrived. If not, although 0 is returned, another transport may do it.
 */
int mpi_exchange(struct run *, const char *file, bool *done, struct hp_err *);

/*
 * `hprun --do ranked NODES DIR... COMMAND...` executes the command in the
 * directory of this process's MPI rank.
 */
int ranked_do(char *words[], struct hp_err *);

#endif

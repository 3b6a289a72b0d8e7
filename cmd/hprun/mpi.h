#ifndef HP_CMD_HPRUN_MPI_H
#define HP_CMD_HPRUN_MPI_H

/*
 * The exchange by hpexchange-mpi.  It is a single step of the launcher: mpirun
 * starts the processes of all nodes, or srun does in a job of Slurm.
 */

#include "run.h"

/* Checks that mpirun or srun can start the processes of these nodes. */
int mpi_check(const struct run *, struct hp_err *);
/* Returns whether an earlier exchange by MPI has failed in this run. */
bool mpi_has_failed(const struct run *);
/*
 * Sends the extents of `file` from all nodes to all nodes.  Sets *done if all
 * records have arrived.  If it returns 0 without *done, MPI has failed, but
 * another transport may work.
 */
int mpi_exchange(struct run *, const char *file, bool *done, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_RANKED_H
#define HP_CMD_HPRUN_RANKED_H

/* `hprun --do ranked`: the command of one MPI process. */

#include "mpi.h"

/*
 * Runs a command in the directory of one node: `hprun --do ranked NODES WORD
 * DIR...  COMMAND...`.  The MPI rank of this process selects the directory.  If
 * the command succeeds, prints WORD, unless that is "".
 */
int ranked_do(char *words[], struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_GATHER_H
#define HP_CMD_HPRUN_GATHER_H

/*
 * Gathers the nodes' parts of the result.  A result file receives all parts at
 * once, each at its offset, and gets its name after the proof.  Standard output
 * receives one part after the other.
 */

#include "doc/parts.h"
#include "run.h"

int gather(struct run *, struct hp_err *);
/*
 * Creates the result file and writes the header.  The nodes' parts follow the
 * header.
 */
int gather_begin(struct run *, const char *result, struct hp_err *);
/*
 * Runs the stage, and also writes the size of each node's result to pieces.R,
 * where R is the rank of the node.
 */
int gather_pieces(struct run *, struct stage *, struct hp_err *);

#endif

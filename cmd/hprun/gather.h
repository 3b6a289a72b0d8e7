#ifndef HP_CMD_HPRUN_GATHER_H
#define HP_CMD_HPRUN_GATHER_H

/*
 * Gathers the nodes' parts into the result.  A file receives all parts at once,
 * each at its offset, and is renamed after the proof.  Standard output receives
 * the nodes' parts one after the other.
 */

#include "doc/parts.h"
#include "run.h"

int gather(struct run *, struct hp_err *);
/*
 * Creates the file with the header.  The parts are written behind it.
 */
int gather_begin(struct run *, const char *result, struct hp_err *);
/*
 * Like run_stage, but also writes the sizes of the nodes' results to pieces.R.
 */
int gather_pieces(struct run *, struct stage *, struct hp_err *);
/* --leave (leave.c): renames the parts on the nodes, where they stay. */
int leave(struct run *, const struct parts *, struct hp_err *);
/* `hprun --do left [NODE PATH]...` writes the parts' locations to `summary`. */
int left_do(char *words[], struct hp_err *);

#endif

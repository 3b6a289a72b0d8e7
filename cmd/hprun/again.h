#ifndef HP_CMD_HPRUN_AGAIN_H
#define HP_CMD_HPRUN_AGAIN_H

/*
 * Decides whether a failed run is attempted again.  If only a connection broke,
 * the attempt uses all nodes.  Otherwise it leaves out the lost nodes.
 */

#include "run.h"

/*
 * Returns true if the run is to be attempted again.  The user has then been
 * told, the lost nodes are recorded, and the journal keeps only reusable steps.
 */
bool again(struct run *, struct hp_err *);

#endif

#ifndef HP_CMD_HPRUN_AGAIN_H
#define HP_CMD_HPRUN_AGAIN_H

/*
 * Decides whether hprun repeats a sort or job that has failed.  If only a
 * connection broke, the new attempt uses all nodes.  Otherwise it leaves out
 * the nodes that were lost.
 */

#include "run.h"

/*
 * Returns true if hprun should make another attempt.  In that case it has told
 * the user, recorded the lost nodes, and kept only the journal entries that the
 * new attempt can use.
 */
bool again(struct run *, struct hp_err *);

#endif

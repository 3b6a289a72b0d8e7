#ifndef HP_CMD_HPRUN_MOVING_H
#define HP_CMD_HPRUN_MOVING_H

/*
 * Moves batches from slow nodes to idle ones, when the whole input is dealt
 * (share/batches.h).
 */

#include "doc/batches.h"
#include "growing.h"

/*
 * Returns the number of the batch that the idle node should take over from
 * another node, or NO_BATCH.
 */
size_t moving_choose(const struct growing *, size_t to);
/*
 * Takes the batch from its node: drops the steps that send or sort it.  The
 * caller gives the batch to another node.
 */
void moving_take(struct growing *, size_t b);

/*
 * Handles a recorded step of a resumed run, if an earlier step has already sent
 * or sorted batch b.  If the node sorts the batch that was sent to it, the
 * batch no longer waits there.  Otherwise the batch has moved, and is taken
 * from its old node.
 */
void moving_repeat(struct growing *, size_t b, const struct batch_step *);

#endif

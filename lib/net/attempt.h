#ifndef HP_NET_ATTEMPT_H
#define HP_NET_ATTEMPT_H

/*
 * Connection attempts. An attempt is a connection on which this node has sent
 * its hello, and is pending until the peer answers with a hello. A connection
 * alone does not prove that the peer's process runs: the kernel accepts
 * connections even if the process is stopped. So if an attempt stays
 * unanswered, this node starts another one beside it.
 */

#include "net/sending.h"

/*
 * Starts a connection attempt to a receiver. Fails when the receiver has not
 * been reached for so long that it counts as lost.
 */
int attempt_start(struct sending *, struct outlet *, struct hp_err *);
/* An attempt is readable: reads the answer. */
int attempt_answer(
    struct sending *, struct outlet *, struct handshake *, struct hp_err *);

#endif

#ifndef HP_NET_ATTEMPT_H
#define HP_NET_ATTEMPT_H

/*
 * Connection attempts.  An attempt is a connection on which this node has sent
 * its hello.  It is pending until the peer answers with a hello.  An accepted
 * connection alone proves nothing: the kernel accepts for a process that is
 * stopped.  So when an attempt stays unanswered, another is started beside it.
 */

#include "net/sending.h"

/* Starts an attempt. Fails when the receiver is given up as lost. */
int attempt_start(struct sending *, struct outlet *, struct hp_err *);
/* An attempt is readable: reads the answer. */
int attempt_answer(
    struct sending *, struct outlet *, struct handshake *, struct hp_err *);

#endif

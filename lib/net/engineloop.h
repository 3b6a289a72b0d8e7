#ifndef HP_NET_ENGINELOOP_H
#define HP_NET_ENGINELOOP_H

/*
 * Runs an exchange. Sending and receiving share one poll loop, or each has a
 * poll loop in its own thread.
 */

#include "net/receiving.h"
#include "net/sending.h"

/* Returns 0 when everything was sent and received. */
int engineloop_run(
    struct engine *, struct sending *, struct receiving *, struct hp_err *);

#endif

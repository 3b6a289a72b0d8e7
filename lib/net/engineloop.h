#ifndef HP_NET_ENGINELOOP_H
#define HP_NET_ENGINELOOP_H

/*
 * The poll loop over both halves of an exchange, or one thread with a loop for
 * each half.
 */

#include "net/receiving.h"
#include "net/sending.h"

/* Returns 0 when both halves are done. */
int engineloop_run(
    struct engine *, struct sending *, struct receiving *, struct hp_err *);

#endif

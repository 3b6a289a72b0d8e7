#ifndef HP_NET_ENGINELOOP_H
#define HP_NET_ENGINELOOP_H

/*
 * Runs an exchange: either one poll loop for both halves, or one thread with a
 * poll loop for each half.
 */

#include "net/receiving.h"
#include "net/sending.h"

/* Returns 0 when both halves are done. */
int engineloop_run(
    struct engine *, struct sending *, struct receiving *, struct hp_err *);

#endif

#ifndef HP_NET_LOGINS_H
#define HP_NET_LOGINS_H

/*
 * Limits the simultaneous logins of this node, and keeps their order
 * (loginorder.h).  Without a limit of the transport every node may connect at
 * any time.
 */

#include "net/sending.h"

int logins_init(struct sending *, struct hp_err *);
/* How long a first attempt may take before another is started beside it. */
double logins_first_s(const struct sending *);
/* Machines at which this node has finished its logins: the `passed` note. */
uint32_t logins_passed(const struct sending *);
/* Whether an attempt to connect to that receiver may start now. */
bool logins_may_start(const struct sending *, const struct outlet *);

#endif

#ifndef HP_NET_RELAY_H
#define HP_NET_RELAY_H

/*
 * The remote end of a connection by ssh (hpexchange --serve): it copies bytes
 * between two descriptors and the unix socket of the node on this host.
 */

#include "link/address.h"
#include "base/err.h"

/*
 * Waits up to timeout_s seconds for the node, then copies until both sides have
 * closed. SIGPIPE must be ignored. If no process of the node listens by then,
 * answers VERDICT_GONE to the other end and fails with HP_LOST.
 */
int relay_run(
    const struct address *, double timeout_s, int in, int out, struct hp_err *);

#endif

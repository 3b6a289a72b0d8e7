#ifndef HP_NET_RELAY_H
#define HP_NET_RELAY_H

/*
 * The far end of a connection by ssh: what comes in on one descriptor goes to
 * the node at work in a directory, and what it says goes out on the other.
 */

#include "link/transport.h"

/*
 * Waits for the node up to timeout_s, then copies until both have closed.
 * SIGPIPE must be ignored.  HP_LOST when the node does not come: who called is
 * told so by VERDICT_GONE.
 */
int relay_run(
    const struct address *, double timeout_s, int in, int out, struct hp_err *);

#endif

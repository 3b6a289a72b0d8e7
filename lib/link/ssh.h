#ifndef HP_LINK_SSH_H
#define HP_LINK_SSH_H

/*
 * The transport by ssh. `rsh HOST hpexchange --serve DIR` connects its standard
 * input and output with the unix socket of the node on that host. Nodes of one
 * machine use their unix sockets directly.
 */

#include "link/transport.h"

extern const struct transport transport_ssh;

#endif

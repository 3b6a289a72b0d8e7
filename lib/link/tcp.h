#ifndef HP_LINK_TCP_H
#define HP_LINK_TCP_H

/* The transport by TLS over TCP, to the port of each node. */

#include "link/transport.h"

extern const struct transport transport_tcp;

#endif

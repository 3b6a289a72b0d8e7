#ifndef HP_LINK_UNIX_H
#define HP_LINK_UNIX_H

/*
 * The transport for nodes of one machine and one user. Each node listens at the
 * socket DIR/exchange.sock. The transport by ssh, and the relay that it starts
 * on the host, use these functions, too.
 */

#include "link/transport.h"

extern const struct transport transport_unix;

/* The functions of transport_unix. */
int unix_open(struct endpoint *, const struct address *, uint32_t nodes,
    uint32_t me, const struct transport_options *, struct hp_err *);
int unix_accept(struct endpoint *, struct channel *, struct hp_err *);
void unix_close(struct endpoint *);
/* As transport_unix connects, without an endpoint. */
int unix_connect(const struct address *, struct attempt *, struct channel *,
    struct hp_err *);

#endif

#ifndef HP_LINK_TLS_H
#define HP_LINK_TLS_H

/*
 * Encrypted and authenticated channels: TLS 1.3 with a pre-shared key (RFC
 * 8446, 2.2; RFC 9257), by OpenSSL.
 *
 * A peer without the key of the pair of nodes cannot complete the handshake.
 * There are no certificates and no tickets.  Each connection has fresh traffic
 * keys.  An end of the stream without close_notify is an error.
 *
 * No function waits: reads and writes of the channel continue the handshake.
 * The first bytes are sent as soon as it is complete.
 */

#include "link/channel.h"
#include "link/tlsparty.h"

/*
 * Makes a channel of an accepted socket that does not block. If the function
 * fails, it closes the socket. `peer` is the address of the peer, for messages.
 */
int tls_accept(struct tls_party *, int fd, const char *peer, struct channel *,
    struct hp_err *);
/*
 * Makes a channel of a connected socket, as tls_accept does. `to` is the name
 * of the node at the other end.
 */
int tls_connect(struct tls_party *, int fd, const char *to, struct channel *,
    struct hp_err *);

#endif

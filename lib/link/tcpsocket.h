#ifndef HP_LINK_TCPSOCKET_H
#define HP_LINK_TCPSOCKET_H

/* TCP sockets: their options, listening, and free ports. */

#include <sys/socket.h>

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "link/address.h"

/* Options of every connection: no delay, keepalive. */
void tcpsocket_tune(int fd);
/*
 * Limits the bytes in flight of a connection if the network path is short.
 * `connections` is the number of connections that share the limit.
 */
void tcpsocket_limit_flight(int fd, uint32_t connections);

/*
 * Listens on the port of this node, at the given addresses. Returns the
 * descriptor, or -1 with errno.
 */
int tcpsocket_listen(const struct address *self, const struct addrinfo *);
/* "1.2.3.4 port 5", for messages. */
void
tcpsocket_print(const struct sockaddr *, socklen_t, char *text, size_t size);
/* Whether a connection has connected to itself. */
bool tcpsocket_is_own_echo(int fd);

/*
 * Finds n different ports on which no process of this machine listens. The
 * ports are from a range that Linux, by default, does not use for outgoing
 * connections. So the ports are likely to stay free for a while.
 */
int tcp_free_ports(uint16_t *port, unsigned n, struct hp_err *);

#endif

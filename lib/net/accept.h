#ifndef HP_NET_ACCEPT_H
#define HP_NET_ACCEPT_H

/* Accepting the connections of the senders. */

#include "net/receiving.h"

/*
 * Returns the listening socket, which the caller polls. Returns -1 while the
 * backlog is full.
 */
int accept_fd(struct receiving *);
/*
 * Accepts new connections into the backlog. Call it when the listening socket
 * is readable.
 */
int accept_new(struct receiving *, struct hp_err *);
/*
 * Reads the hello of a connection in the backlog, and answers it. The caller
 * has called poll(2) for the connection.
 */
void
accept_hello(struct receiving *, struct handshake *, const struct pollfd *);
/* Closes connections of the backlog that sent no hello within the timeout. */
void accept_expire(struct receiving *);
/*
 * Tells all senders that this node gives up, and which node failed and why.
 * Also tells the senders that connect later, until the time end_s of struct
 * endpoint.
 */
void accept_abort(struct receiving *, const struct failure *);

#endif

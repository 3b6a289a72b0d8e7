#ifndef HP_NET_ACCEPT_H
#define HP_NET_ACCEPT_H

/* Accepting the connections of the senders. */

#include "net/receiving.h"

/* The listening socket to poll, or -1 while the backlog is full. */
int accept_fd(struct receiving *);
/* The listening socket is readable: accepts connections into the backlog. */
int accept_new(struct receiving *, struct hp_err *);
/* A connection of the backlog was polled: reads its hello and answers it. */
void
accept_hello(struct receiving *, struct handshake *, const struct pollfd *);
/* Closes connections of the backlog that sent no hello within the timeout. */
void accept_expire(struct receiving *);
/*
 * This node gives up: tells all senders which node failed and why.  Senders
 * without a connection are told when they connect, until the end_s of the
 * endpoint.
 */
void accept_abort(struct receiving *, const struct failure *);

#endif

#ifndef HP_NET_BACKLOG_H
#define HP_NET_BACKLOG_H

/* The accepted connections whose peers have not sent their hello yet. */

#include "net/handshake.h"

#define BACKLOG_MAX 32
/* When the backlog is full, a peer that is silent for longer is replaced. */
#define BACKLOG_HELLO_S 1

struct backlog {
	struct handshake slot[BACKLOG_MAX];
};

void backlog_init(struct backlog *);
void backlog_close(struct backlog *);
/*
 * A slot for a new connection: an unused one, or else that of the oldest
 * connection if it is older than BACKLOG_HELLO_S, or else NULL.
 */
struct handshake *backlog_slot(struct backlog *, double now_s);

#endif

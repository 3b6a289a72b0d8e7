#ifndef HP_NET_BACKLOG_H
#define HP_NET_BACKLOG_H

/* The accepted connections whose peers have not sent their hello yet. */

#include "base/err.h"
#include "net/handshake.h"

/*
 * The backlog has room for all nodes of the exchange, which may all connect at
 * the same time, and for this many strangers. When it is full, a new connection
 * may replace a connection whose hello has not arrived for BACKLOG_HELLO_S
 * seconds. So a stranger with thousands of connections delays a node by a few
 * seconds: 512 of them are replaced in each second.
 */
#define BACKLOG_STRANGERS 128
#define BACKLOG_HELLO_S 0.25

/* {0} is a backlog that is not open. */
struct backlog {
	struct handshake *slot;
	size_t n;
};

int backlog_open(struct backlog *, uint32_t nodes, struct hp_err *);
void backlog_close(struct backlog *);
/*
 * Returns a slot for a new connection: an unused slot, or else the slot of the
 * oldest connection if that is older than BACKLOG_HELLO_S. Returns NULL if no
 * slot can be used.
 */
struct handshake *backlog_slot(struct backlog *, double now_s);

#endif

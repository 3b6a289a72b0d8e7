#ifndef HP_NET_BACKLOG_H
#define HP_NET_BACKLOG_H

/* The accepted connections whose peers have not sent their hello yet. */

#include "net/handshake.h"

/*
 * When the backlog is full, a new connection may replace a connection whose
 * hello has not arrived for this many seconds. So a stranger with thousands of
 * connections delays a node by a few seconds: 512 of them are replaced in each
 * second. A node of the exchange needs some milliseconds.
 */
#define BACKLOG_MAX 128
#define BACKLOG_HELLO_S 0.25

struct backlog {
	struct handshake slot[BACKLOG_MAX];
};

void backlog_init(struct backlog *);
void backlog_close(struct backlog *);
/*
 * Returns a slot for a new connection: an unused slot, or else the slot of the
 * oldest connection if that is older than BACKLOG_HELLO_S. Returns NULL if no
 * slot can be used.
 */
struct handshake *backlog_slot(struct backlog *, double now_s);

#endif

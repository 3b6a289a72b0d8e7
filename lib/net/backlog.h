#ifndef HP_NET_BACKLOG_H
#define HP_NET_BACKLOG_H

/* The accepted connections whose peers have not sent their hello yet. */

#include "net/handshake.h"

#define BACKLOG_MAX 32
/*
 * When the backlog is full, a new connection may replace a connection whose
 * peer has sent nothing for this many seconds.
 */
#define BACKLOG_HELLO_S 1

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

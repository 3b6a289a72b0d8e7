#ifndef HP_NET_BACKLOG_H
#define HP_NET_BACKLOG_H

/*
 * Connections that came in and have not said yet who they are.
 */

#include "net/handshake.h"

#define BACKLOG_MAX 32
#define BACKLOG_HELLO_S 1 /* while others wait at the door */

struct backlog {
	struct handshake slot[BACKLOG_MAX];
};

void backlog_init(struct backlog *);
void backlog_close(struct backlog *);
/*
 * A free seat; or that of the slot who is silent for the longest, and longer
 * than a hello takes; or NULL.
 */
struct handshake *backlog_slot(struct backlog *, double now_s);

#endif

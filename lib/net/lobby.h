#ifndef HP_NET_LOBBY_H
#define HP_NET_LOBBY_H

/*
 * Connections that came in and have not said yet who they are.
 */

#include "net/greeting.h"

#define LOBBY_MAX 32
#define LOBBY_PATIENCE_S 1 /* while others wait at the door */

struct lobby {
	struct greeting guest[LOBBY_MAX];
};

void lobby_init(struct lobby *);
void lobby_close(struct lobby *);
/*
 * A free seat; or that of the guest who is silent for the longest, and longer
 * than a hello takes; or NULL.
 */
struct greeting *lobby_seat(struct lobby *, double now_s);

#endif

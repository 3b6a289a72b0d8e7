#ifndef HP_NET_LOBBY_H
#define HP_NET_LOBBY_H

/*
 * Connections that came in and have not said yet who they are.
 */

#include "net/channel.h"
#include "net/wire.h"

#define LOBBY_MAX 32
#define LOBBY_PATIENCE_S 1 /* while others wait at the door */

struct guest {
	struct channel channel; /* CHANNEL_NONE: nobody */
	unsigned char bytes[HELLO_SIZE];
	uint32_t have;
	double since_s;
};

struct lobby {
	struct guest guest[LOBBY_MAX];
};

void lobby_init(struct lobby *);
void lobby_close(struct lobby *);
/*
 * A free seat; or that of the guest who is silent for the longest, and longer
 * than a hello takes; or NULL.
 */
struct guest *lobby_seat(struct lobby *, double now_s);

enum guest_event {
	GUEST_WAITS,
	GUEST_SPOKE,   /* the hello is there */
	GUEST_STRANGER /* went away, or said something else */
};

enum guest_event guest_read(struct guest *, struct hello *);
/*
 * Tell the verdict.  Returns the connection, now the caller's, or none when it
 * was closed because the verdict is not to let it in, or the guest is gone.
 */
struct channel guest_answer(
    struct guest *, const struct hello *mine, uint32_t to, enum verdict);
void guest_leave(struct guest *);

#endif

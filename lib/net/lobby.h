#ifndef HP_NET_LOBBY_H
#define HP_NET_LOBBY_H

/*
 * Connections that came in and have not said yet who they are.
 */

#include <stdbool.h>

#include "net/wire.h"

#define LOBBY_MAX 32

struct guest {
	int fd; /* -1: nobody */
	unsigned char bytes[HELLO_SIZE];
	uint32_t have;
	double since_s;
};

struct lobby {
	struct guest guest[LOBBY_MAX];
};

void lobby_init(struct lobby *);
void lobby_close(struct lobby *);
/* Returns false when that put out the guest who had waited longest. */
bool lobby_add(struct lobby *, int fd, double now_s);

enum guest_event {
	GUEST_WAITS,
	GUEST_SPOKE,   /* the hello is there */
	GUEST_STRANGER /* went away, or said something else */
};

enum guest_event guest_read(struct guest *, struct hello *);
/*
 * Tell the verdict.  Returns the connection, now the caller's, or -1 when it
 * was closed because the verdict is not to let it in, or the guest is gone.
 */
int guest_answer(
    struct guest *, const struct hello *mine, uint32_t to, enum verdict);
void guest_leave(struct guest *);

#endif

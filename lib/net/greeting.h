#ifndef HP_NET_GREETING_H
#define HP_NET_GREETING_H

/*
 * A connection whose other end has not said hello yet: one that came in, or a
 * call of ours that is not answered.
 */

#include "link/channel.h"
#include "net/wire.h"

struct greeting {
	struct channel channel; /* CHANNEL_NONE: nobody */
	unsigned char bytes[HELLO_SIZE];
	uint32_t have;
	uint32_t call; /* which of our calls it is */
	double since_s;
};

enum greeting_event {
	GREETING_WAITS,
	GREETING_SPOKE,	 /* the hello is there */
	GREETING_LEFT,	 /* the end, or an error */
	GREETING_STRANGE /* said something else */
};

enum greeting_event greeting_hear(struct greeting *, struct hello *);
/* Says hello.  Returns -1 when the other end is gone. */
int greeting_say(struct greeting *, const struct hello *);
/* The connection becomes the caller's. */
struct channel greeting_done(struct greeting *);
/* Harmless when nobody is there. */
void greeting_drop(struct greeting *);

#endif

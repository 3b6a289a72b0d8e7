#ifndef HP_NET_HANDSHAKE_H
#define HP_NET_HANDSHAKE_H

/*
 * A connection whose other end has not said hello yet: one that came in, or a
 * call of ours that is not answered.
 */

#include "link/channel.h"
#include "net/wire.h"

struct handshake {
	struct channel channel; /* CHANNEL_NONE: nobody */
	unsigned char bytes[HELLO_SIZE];
	uint32_t have;
	uint32_t attempt; /* which of our attempts it is */
	double since_s;
};

enum handshake_event {
	HANDSHAKE_WAITS,
	HANDSHAKE_HELLO,  /* the hello is there */
	HANDSHAKE_LOST,	  /* the end, or an error */
	HANDSHAKE_INVALID /* said something else */
};

enum handshake_event handshake_read(struct handshake *, struct hello *);
/* Says hello.  Returns -1 when the other end is gone. */
int handshake_send(struct handshake *, const struct hello *);
/* The connection becomes the caller's. */
struct channel handshake_take(struct handshake *);
/* Harmless when nobody is there. */
void handshake_close(struct handshake *);

#endif

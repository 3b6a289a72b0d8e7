#ifndef HP_NET_HANDSHAKE_H
#define HP_NET_HANDSHAKE_H

/*
 * A connection whose peer has not sent its hello yet: either an accepted
 * connection, or an attempt of this node that the peer has not answered.
 */

#include "link/channel.h"
#include "net/wire.h"

struct handshake {
	struct channel channel; /* CHANNEL_NONE: unused */
	unsigned char bytes[HELLO_SIZE];
	uint32_t have;	  /* bytes of the hello that have arrived */
	uint32_t attempt; /* number of the attempt; 0: accepted */
	double since_s;	  /* start of the handshake */
};

enum handshake_event {
	HANDSHAKE_WAITS,
	HANDSHAKE_HELLO, /* the hello has arrived */
	/* the connection ended, or failed with the error in errno */
	HANDSHAKE_LOST,
	HANDSHAKE_INVALID /* the bytes are no hello */
};

enum handshake_event handshake_read(struct handshake *, struct hello *);
/* Sends a hello. Returns -1 when the peer has closed the connection. */
int handshake_send(struct handshake *, const struct hello *);
/*
 * Returns the channel of the handshake. From now on, the caller must close the
 * channel.
 */
struct channel handshake_take(struct handshake *);
/* Harmless when unused. */
void handshake_close(struct handshake *);

#endif

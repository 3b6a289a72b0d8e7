#include <errno.h>

#include "net/handshake.h"

enum handshake_event
handshake_read(struct handshake *g, struct hello *h)
{
	ssize_t n = channel_read(
	    &g->channel, g->bytes + g->have, HELLO_SIZE - g->have);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return HANDSHAKE_WAITS;
	if (n <= 0)
		return HANDSHAKE_LOST;
	g->have += (uint32_t)n;
	switch (hello_decode(g->bytes, g->have, h)) {
	case 0:
		return HANDSHAKE_WAITS;
	case 1:
		return HANDSHAKE_HELLO;
	default:
		return HANDSHAKE_INVALID;
	}
}

int
handshake_send(struct handshake *g, const struct hello *h)
{
	unsigned char bytes[HELLO_SIZE];

	hello_encode(h, bytes);
	return channel_write_first(&g->channel, bytes, sizeof bytes);
}

struct channel
handshake_take(struct handshake *g)
{
	struct channel c = g->channel;

	g->channel = CHANNEL_NONE;
	return c;
}

void
handshake_close(struct handshake *g)
{
	channel_close(&g->channel);
}

#include <errno.h>

#include "net/greeting.h"

enum greeting_event
greeting_hear(struct greeting *g, struct hello *h)
{
	ssize_t n = channel_read(
	    &g->channel, g->bytes + g->have, HELLO_SIZE - g->have);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return GREETING_WAITS;
	if (n <= 0)
		return GREETING_LEFT;
	g->have += (uint32_t)n;
	switch (hello_decode(g->bytes, g->have, h)) {
	case 0:
		return GREETING_WAITS;
	case 1:
		return GREETING_SPOKE;
	default:
		return GREETING_STRANGE;
	}
}

int
greeting_say(struct greeting *g, const struct hello *h)
{
	unsigned char bytes[HELLO_SIZE];

	hello_encode(h, bytes);
	return channel_write_first(&g->channel, bytes, sizeof bytes);
}

struct channel
greeting_done(struct greeting *g)
{
	struct channel c = g->channel;

	g->channel = CHANNEL_NONE;
	return c;
}

void
greeting_drop(struct greeting *g)
{
	channel_close(&g->channel);
}

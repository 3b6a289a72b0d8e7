#include <errno.h>

#include "net/lobby.h"

void
lobby_init(struct lobby *l)
{
	for (int i = 0; i < LOBBY_MAX; i++)
		l->guest[i].channel = CHANNEL_NONE;
}

void
lobby_close(struct lobby *l)
{
	for (int i = 0; i < LOBBY_MAX; i++)
		guest_leave(&l->guest[i]);
}

void
guest_leave(struct guest *g)
{
	channel_close(&g->channel);
}

struct guest *
lobby_seat(struct lobby *l, double now_s)
{
	struct guest *oldest = &l->guest[0];

	for (int i = 0; i < LOBBY_MAX; i++) {
		struct guest *g = &l->guest[i];

		if (!channel_is_open(&g->channel))
			return g;
		if (g->since_s < oldest->since_s)
			oldest = g;
	}
	return oldest->since_s + LOBBY_PATIENCE_S < now_s ? oldest : NULL;
}

enum guest_event
guest_read(struct guest *g, struct hello *h)
{
	ssize_t n = channel_read(
	    &g->channel, g->bytes + g->have, HELLO_SIZE - g->have);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return GUEST_WAITS;
	if (n <= 0)
		return GUEST_STRANGER;
	g->have += (uint32_t)n;
	if (g->have < HELLO_SIZE)
		return GUEST_WAITS;
	return hello_decode(g->bytes, h) == -1 ? GUEST_STRANGER : GUEST_SPOKE;
}

struct channel
guest_answer(struct guest *g, const struct hello *mine, uint32_t to,
    enum verdict verdict)
{
	unsigned char bytes[HELLO_SIZE];
	struct hello h = *mine;
	struct channel c = g->channel;

	h.to = to;
	h.verdict = verdict;
	hello_encode(&h, bytes);
	if (channel_greet(&c, bytes, sizeof bytes) == -1 ||
	    verdict != VERDICT_WELCOME) {
		guest_leave(g);
		return CHANNEL_NONE;
	}
	g->channel = CHANNEL_NONE;
	return c;
}

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
		greeting_drop(&l->guest[i]);
}

struct greeting *
lobby_seat(struct lobby *l, double now_s)
{
	struct greeting *oldest = &l->guest[0];

	for (int i = 0; i < LOBBY_MAX; i++) {
		struct greeting *g = &l->guest[i];

		if (!channel_is_open(&g->channel))
			return g;
		if (g->since_s < oldest->since_s)
			oldest = g;
	}
	return oldest->since_s + LOBBY_PATIENCE_S < now_s ? oldest : NULL;
}

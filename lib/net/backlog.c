#include "net/backlog.h"

void
backlog_init(struct backlog *l)
{
	for (int i = 0; i < BACKLOG_MAX; i++)
		l->slot[i].channel = CHANNEL_NONE;
}

void
backlog_close(struct backlog *l)
{
	for (int i = 0; i < BACKLOG_MAX; i++)
		handshake_close(&l->slot[i]);
}

struct handshake *
backlog_slot(struct backlog *l, double now_s)
{
	struct handshake *oldest = &l->slot[0];

	for (int i = 0; i < BACKLOG_MAX; i++) {
		struct handshake *g = &l->slot[i];

		if (!channel_is_open(&g->channel))
			return g;
		if (g->since_s < oldest->since_s)
			oldest = g;
	}
	return oldest->since_s + BACKLOG_HELLO_S < now_s ? oldest : NULL;
}

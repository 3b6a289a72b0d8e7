#include <stdlib.h>

#include "net/backlog.h"

int
backlog_open(struct backlog *l, uint32_t nodes, struct hp_err *e)
{
	size_t n = BACKLOG_STRANGERS + (size_t)nodes;

	if ((l->slot = calloc(n, sizeof *l->slot)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	l->n = n;
	for (size_t i = 0; i < n; i++)
		l->slot[i].channel = CHANNEL_NONE;
	return 0;
}

void
backlog_close(struct backlog *l)
{
	for (size_t i = 0; i < l->n; i++)
		handshake_close(&l->slot[i]);
	free(l->slot);
	*l = (struct backlog){ 0 };
}

struct handshake *
backlog_slot(struct backlog *l, double now_s)
{
	struct handshake *oldest = &l->slot[0];

	for (size_t i = 0; i < l->n; i++) {
		struct handshake *g = &l->slot[i];

		if (!channel_is_open(&g->channel))
			return g;
		if (g->since_s < oldest->since_s)
			oldest = g;
	}
	return oldest->since_s + BACKLOG_HELLO_S < now_s ? oldest : NULL;
}

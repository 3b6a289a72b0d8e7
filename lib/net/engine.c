#include <stdio.h>

#include "net/engine.h"

int
engine_lost(const struct engine *en, struct failure *b, uint32_t rank,
    enum unreached_why seen, const char *why, struct hp_err *e)
{
	b->rank = rank;
	b->seen = seen;
	snprintf(b->why, sizeof b->why, "%s", why);
	return hp_fail(e, HP_LOST, "%s: %s", en->x->node[rank].name, why);
}

void
engine_notice(struct engine *en, const char *text)
{
	pthread_mutex_lock(&en->notice_lock);
	en->x->notice(text);
	pthread_mutex_unlock(&en->notice_lock);
}

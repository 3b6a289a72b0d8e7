#include <stdlib.h>

#include "net/unreached.h"

const char *
unreached_word(enum unreached_why why)
{
	static const char *const words[] = { [UNREACHED_NOT] = "",
		[UNREACHED_SILENT] = "silent",
		[UNREACHED_BROKEN] = "broken",
		[UNREACHED_NEVER] = "never",
		[UNREACHED_REFUSED] = "refused",
		[UNREACHED_NO_ROUTE] = "no route",
		[UNREACHED_ENDED] = "ended",
		[UNREACHED_DAMAGED] = "damaged",
		[UNREACHED_KEY] = "key" };

	return words[why];
}

int
unreached_init(struct unreached_log *l, uint32_t nodes, struct hp_err *e)
{
	l->nodes = nodes;
	l->seen = calloc((size_t)nodes * UNREACHED_HALVES, sizeof *l->seen);
	l->list = calloc(nodes, sizeof *l->list);
	if (l->seen == NULL || l->list == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	return 0;
}

void
unreached_fini(struct unreached_log *l)
{
	free(l->seen);
	free(l->list);
	l->seen = l->list = NULL;
}

void
unreached_lock(struct unreached_log *l)
{
	pthread_mutex_lock(&l->lock);
}

void
unreached_unlock(struct unreached_log *l)
{
	pthread_mutex_unlock(&l->lock);
}

void
unreached_note(struct unreached_log *l, enum unreached_half half, uint32_t rank,
    enum unreached_why why, double seconds)
{
	struct unreached *u = &l->seen[(size_t)half * l->nodes + rank];

	if (why == UNREACHED_NOT) {
		if (u->why == UNREACHED_NOT || u->back)
			return;
		u->back = true;
	} else {
		*u = (struct unreached){ rank, why, seconds, false };
	}
	l->changed = true;
}

/*
 * *u says whether the peer is reached in one direction: sending to it or
 * receiving from it. Merges *u into *all. If only one of the two directions
 * works again (`back`), the result is that of the other one. Otherwise it has
 * the greater value of `why` and the longer time.
 */
static void
add(struct unreached *all, const struct unreached *u)
{
	if (u->why == UNREACHED_NOT ||
	    (all->why != UNREACHED_NOT && u->back && !all->back))
		return;
	if (all->why == UNREACHED_NOT || (all->back && !u->back)) {
		*all = *u;
		return;
	}
	if (u->why > all->why)
		all->why = u->why;
	if (u->seconds > all->seconds)
		all->seconds = u->seconds;
}

size_t
unreached_list(struct unreached_log *l, const struct unreached **list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < l->nodes; i++) {
		struct unreached all = { .why = UNREACHED_NOT };

		for (size_t half = 0; half < UNREACHED_HALVES; half++)
			add(&all, &l->seen[half * l->nodes + i]);
		if (all.why != UNREACHED_NOT)
			l->list[n++] = all;
	}
	l->changed = false;
	*list = l->list;
	return n;
}

#include <stdlib.h>

#include "base/array.h"
#include "job/votes_links.h"

struct list {
	const struct votes_node *node;
	size_t n;
	const size_t *machine;
	struct votes_link *v;
	size_t links, cap;
};

static const struct miss *
find_miss(const struct votes_node *node, size_t peer)
{
	size_t low = 0, high, mid;

	if (node->report == NULL)
		return NULL;
	for (high = node->report->n; low < high;) {
		mid = low + (high - low) / 2;
		if (node->report->v[mid].peer == peer)
			return &node->report->v[mid];
		if (node->report->v[mid].peer < peer)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static bool
counts(const struct miss *m)
{
	return m != NULL && !m->back && m->why != MISS_ENDED;
}

static int
add(struct list *l, size_t rank, const struct miss *m, struct hp_err *e)
{
	size_t peer = (size_t)m->peer;
	const struct miss *other;
	struct votes_link *p;

	if (!counts(m) || peer >= l->n || l->node[peer].state != VOTES_HEARD ||
	    l->machine[rank] == l->machine[peer])
		return 0;
	other = find_miss(&l->node[peer], rank);
	/*
	 * The other end has received data from this node again, so the link has
	 * recovered.
	 */
	if (other != NULL && other->back)
		return 0;
	if (counts(other) && peer < rank) /* added by the other end */
		return 0;
	if (ARRAY_ROOM(l->v, l->links, l->cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%zu links", l->links);
	p = &l->v[l->links++];
	*p = (struct votes_link){ rank, peer, counts(other), m->why,
		m->seconds };
	if (p->cut && other->why > p->miss)
		p->miss = other->why;
	if (p->cut && other->seconds > p->seconds)
		p->seconds = other->seconds;
	return 0;
}

int
votes_links(const struct votes_node *node, size_t n, const size_t *machine,
    struct votes_link **link, size_t *links, struct hp_err *e)
{
	struct list l = { .node = node, .n = n, .machine = machine };
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		const struct misses *m = node[i].report;

		if (node[i].state != VOTES_HEARD || m == NULL)
			continue;
		for (size_t k = 0; rc == 0 && k < m->n; k++)
			rc = add(&l, i, &m->v[k], e);
	}
	*link = l.v;
	*links = l.links;
	return rc;
}

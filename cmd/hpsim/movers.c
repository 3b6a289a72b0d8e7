#include <math.h>
#include <stdlib.h>

#include "movers.h"

struct place {
	size_t rank;
	bool at_launcher;
	double send, receive;
	uint64_t n;
};

static double
rate(double r)
{
	return r > 0 ? r : LINK_MOST;
}

static int
by_kind(const void *a, const void *b)
{
	const struct place *s = a, *t = b;

	if (s->at_launcher != t->at_launcher)
		return s->at_launcher ? -1 : 1;
	if (s->send != t->send)
		return s->send < t->send ? -1 : 1;
	if (s->receive != t->receive)
		return s->receive < t->receive ? -1 : 1;
	if (s->n != t->n)
		return s->n < t->n ? -1 : 1;
	return (s->rank > t->rank) - (s->rank < t->rank);
}

/*
 * Adds a node to mover g.  A mover is one node, a group of nodes, or all nodes
 * on the launcher's machine.
 */
static void
join(struct movers *m, const struct work *w, const struct place *p, size_t g,
    bool group)
{
	struct mover *v = &m->v[g];
	double n = (double)p->n;

	m->of[p->rank] = g;
	v->nodes++;
	v->rank = p->rank;
	v->group = group;
	v->at_launcher = p->at_launcher;
	v->items += n;
	v->squares += n * n;
	/*
	 * Until set_rates, `send` and `receive` are the longest times that a
	 * node of this mover needs for its items.
	 */
	v->link.send = fmax(v->link.send, n / p->send);
	v->link.receive = fmax(v->link.receive, n / p->receive);
	v->link.latency_s = fmax(
	    v->link.latency_s, work_link(w, p->rank)->latency_s);
}

/*
 * Sets the rates of each mover so that a group takes as long as its slowest
 * node.
 */
static void
set_rates(struct movers *m)
{
	for (size_t g = 0; g < m->n; g++) {
		struct link *l = &m->v[g].link;
		double n = m->v[g].items;

		l->send = n > 0 ? n / l->send : LINK_MOST;
		l->receive = n > 0 ? n / l->receive : LINK_MOST;
	}
}

static void
divide(struct movers *m, const struct work *w, const struct place *p,
    uint64_t groups)
{
	size_t nodes = w->cluster.n, local = 0, each;

	if (nodes <= groups) {
		for (size_t i = 0; i < nodes; i++)
			join(m, w, &p[i], m->n++, false);
		return;
	}
	while (local < nodes && p[local].at_launcher)
		join(m, w, &p[local++], 0, false);
	m->n = local > 0;
	if (local == nodes)
		return;
	each = (nodes - local + groups - 1) / groups;
	for (size_t i = local; i < nodes; i++)
		join(m, w, &p[i], m->n + (i - local) / each, true);
	m->n += (nodes - local + each - 1) / each;
}

int
movers_make(
    const struct work *w, uint64_t groups, struct movers *m, struct hp_err *e)
{
	size_t nodes = w->cluster.n;
	struct place *p = calloc(nodes, sizeof *p);

	*m = (struct movers){ .total = (double)w->total,
		.item_bytes = w->item_bytes };
	m->v = calloc(nodes, sizeof *m->v);
	m->of = calloc(nodes, sizeof *m->of);
	if (p == NULL || m->v == NULL || m->of == NULL) {
		free(p);
		return hp_fail_errno(e, HP_NOMEM, "exchange");
	}
	for (size_t i = 0; i < nodes; i++) {
		const struct link *l = work_link(w, i);

		p[i] = (struct place){ i, work_at_launcher(w, i), rate(l->send),
			rate(l->receive), w->n[i] };
	}
	if (nodes > groups)
		qsort(p, nodes, sizeof *p, by_kind);
	divide(m, w, p, groups);
	set_rates(m);
	free(p);
	return 0;
}

void
movers_fini(struct movers *m)
{
	free(m->v);
	free(m->of);
}

long
movers_bytes(const struct movers *m, size_t a, size_t b)
{
	double pairs = m->v[a].items * m->v[b].items;

	if (a == b)
		pairs -= m->v[a].squares;
	/*
	 * Nodes on the launcher's machine exchange records without using a
	 * link.
	 */
	if (m->total == 0 || (a == b && !m->v[a].group))
		return 0;
	return lround(pairs / m->total * m->item_bytes);
}

double
movers_latency(const struct movers *m, size_t a, size_t b)
{
	if (m->v[a].at_launcher && m->v[b].at_launcher)
		return 0;
	return m->v[a].link.latency_s + m->v[b].link.latency_s;
}

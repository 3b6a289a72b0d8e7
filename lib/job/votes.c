#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/votes.h"
#include "job/votes_cover.h"
#include "job/votes_links.h"

struct votes {
	const struct votes_node *node;
	size_t n;
	size_t *machine; /* by rank: machine number, from 0 */
	size_t machines, heard;
	struct votes_link *link;
	size_t links, cuts;
	size_t *trouble; /* by rank: number of links */
	/* sets of nodes: the best set so far, and the current one */
	bool *best, *set;
	bool any;
};

static bool
heard(const struct votes *v, size_t rank)
{
	return v->node[rank].state == VOTES_HEARD;
}

static int
find_links(struct votes *v, struct hp_err *e)
{
	if (votes_links(v->node, v->n, v->machine, &v->link, &v->links, e) ==
	    -1)
		return -1;
	for (size_t i = 0; i < v->links; i++) {
		v->cuts += v->link[i].cut;
		v->trouble[v->link[i].a]++;
		v->trouble[v->link[i].b]++;
	}
	return 0;
}

struct numbered {
	size_t machine, rank;
};

static int
by_machine(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	if (x->machine != y->machine)
		return x->machine < y->machine ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int
number_machines(struct votes *v, struct hp_err *e)
{
	struct numbered *l = reallocarray(NULL, v->n + 1, sizeof *l);

	if (l == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu nodes", v->n);
	for (size_t i = 0; i < v->n; i++)
		l[i] = (struct numbered){ v->node[i].machine, i };
	qsort(l, v->n, sizeof *l, by_machine);
	for (size_t i = 0; i < v->n; i++) {
		if (i == 0 || l[i].machine != l[i - 1].machine) {
			v->machines++;
			v->heard += heard(v, l[i].rank);
		}
		v->machine[l[i].rank] = v->machines - 1;
	}
	free(l);
	return 0;
}

/* Properties of a set of nodes, by which sets are compared (votes.h). */
struct merit {
	size_t nodes, trouble;
	double share;
};

static struct merit
weigh(const struct votes *v, const bool *set)
{
	struct merit m = { 0 };

	for (size_t i = 0; i < v->n; i++) {
		if (!set[i])
			continue;
		m.nodes++;
		m.trouble += v->trouble[i];
		m.share += v->node[i].share;
	}
	return m;
}

static bool
is_better(const struct votes *v, const bool *set, const bool *than)
{
	struct merit a = weigh(v, set), b = weigh(v, than);

	if (a.nodes != b.nodes)
		return a.nodes < b.nodes;
	if (a.trouble != b.trouble)
		return a.trouble > b.trouble;
	if (a.share < b.share || a.share > b.share)
		return a.share < b.share;
	for (size_t i = 0; i < v->n; i++)
		if (set[i] != than[i])
			return than[i];
	return false;
}

/*
 * A link between two nodes is cut if neither node reaches the other. `in` is a
 * set of machines: at least one end of each cut link lies on a machine of this
 * set. The search in votes_cover.h calls this function for each such set of
 * minimum size. Dropping the nodes at these ends would remove all cut links.
 * Keeps the best set of nodes to drop.
 */
static void
found(void *context, const bool *in)
{
	struct votes *v = context;

	memset(v->set, 0, v->n * sizeof *v->set);
	for (size_t i = 0; i < v->links; i++) {
		const struct votes_link *p = &v->link[i];

		if (!p->cut)
			continue;
		v->set[p->a] |= in[v->machine[p->a]];
		v->set[p->b] |= in[v->machine[p->b]];
	}
	if (v->any && !is_better(v, v->set, v->best))
		return;
	v->any = true;
	memcpy(v->best, v->set, v->n * sizeof *v->best);
}

static int
by_ends(const void *a, const void *b)
{
	const struct cover_edge *x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return (x->b > y->b) - (x->b < y->b);
}

/* Lists the pairs of machines with cut links, each pair once. */
static size_t
find_edges(const struct votes *v, struct cover_edge *edge)
{
	size_t n = 0, edges = 0;

	for (size_t i = 0; i < v->links; i++) {
		size_t a = v->machine[v->link[i].a];
		size_t b = v->machine[v->link[i].b];

		if (v->link[i].cut)
			edge[n++] = a < b ? (struct cover_edge){ a, b }
					  : (struct cover_edge){ b, a };
	}
	qsort(edge, n, sizeof *edge, by_ends);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || by_ends(&edge[i], &edge[i - 1]) != 0)
			edge[edges++] = edge[i];
	return edges;
}

static enum votes_verdict
cut_links(struct votes *v, struct votes_fate *fate, struct hp_err *e)
{
	struct cover_edge *edge = reallocarray(NULL, v->cuts, sizeof *edge);
	size_t size;

	if (edge == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%zu links", v->cuts);
		return VOTES_FAILED;
	}
	size = cover_least(
	    edge, find_edges(v, edge), v->machines, v->heard / 2, found, v, e);
	free(edge);
	if (size == SIZE_MAX)
		return VOTES_FAILED;
	if (size == 0)
		return VOTES_NETWORK;
	for (size_t i = 0; i < v->n; i++)
		if (v->best[i])
			fate[i].why = VOTES_CUT;
	return VOTES_DROP;
}

/*
 * Drops a node if all reports are about this node. More than half of the other
 * machines, and at least two, must have reported it.
 */
static enum votes_verdict
most_miss(struct votes *v, struct votes_fate *fate)
{
	size_t machines = 0, node;

	if (v->links == 0)
		return VOTES_NOBODY;
	node = v->link[0].b;
	memset(v->set, 0, v->n * sizeof *v->set);
	for (size_t i = 0; i < v->links; i++) {
		size_t by = v->machine[v->link[i].a];

		if (v->link[i].b != node)
			return VOTES_NOBODY;
		/*
		 * Here, v->set marks machines instead of nodes. The array is
		 * large enough, because there are at most as many machines as
		 * nodes.
		 */
		machines += !v->set[by];
		v->set[by] = true;
	}
	if (machines < 2 || 2 * machines <= v->heard - 1)
		return VOTES_NOBODY;
	fate[node].why = VOTES_MISSED;
	return VOTES_DROP;
}

/*
 * For each node that is dropped, finds its worst link, which the message to the
 * user names.
 */
static void
describe(const struct votes *v, struct votes_fate *fate)
{
	for (size_t i = 0; i < 2 * v->links; i++) {
		const struct votes_link *p = &v->link[i / 2];
		struct votes_fate *f = &fate[i % 2 == 0 ? p->a : p->b];

		if (f->why < VOTES_CUT || (f->why == VOTES_CUT && !p->cut))
			continue;
		if (f->links++ > 0 && f->seconds >= p->seconds)
			continue;
		f->peer = i % 2 == 0 ? p->b : p->a;
		f->miss = p->miss;
		f->seconds = p->seconds;
	}
}

static bool
drop_lost(const struct votes *v, struct votes_fate *fate)
{
	bool any = false;

	for (size_t i = 0; i < v->n; i++) {
		fate[i] = (struct votes_fate){ .why = VOTES_STAYS };
		if (v->node[i].state != VOTES_LOST)
			continue;
		fate[i].why = VOTES_GONE;
		any = true;
	}
	return any;
}

static enum votes_verdict
decide(struct votes *v, bool last, struct votes_fate *fate, struct hp_err *e)
{
	bool lost = drop_lost(v, fate);
	enum votes_verdict verdict = VOTES_NOBODY;

	if (number_machines(v, e) == -1 || find_links(v, e) == -1)
		return VOTES_FAILED;
	if (v->cuts > 0)
		verdict = cut_links(v, fate, e);
	else if (last && !lost)
		verdict = most_miss(v, fate);
	describe(v, fate);
	return lost && verdict != VOTES_FAILED ? VOTES_DROP : verdict;
}

enum votes_verdict
votes_decide(const struct votes_node *node, size_t n, bool last,
    struct votes_fate *fate, struct hp_err *e)
{
	struct votes v = { .node = node,
		.n = n,
		.machine = calloc(n + 1, sizeof *v.machine),
		.trouble = calloc(n + 1, sizeof *v.trouble),
		.best = calloc(n + 1, sizeof *v.best),
		.set = calloc(n + 1, sizeof *v.set) };
	enum votes_verdict verdict = VOTES_FAILED;

	if (v.machine == NULL || v.trouble == NULL || v.best == NULL ||
	    v.set == NULL)
		hp_fail_errno(e, HP_NOMEM, "%zu nodes", n);
	else
		verdict = decide(&v, last, fate, e);
	free(v.machine);
	free(v.trouble);
	free(v.best);
	free(v.set);
	free(v.link);
	return verdict;
}

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "job/votes.h"
#include "job/votes_cover.h"

/*
 * Two nodes of different machines. At least one of them reports that it cannot
 * reach the other, or that the other was lost.
 */
struct pair {
	size_t a, b; /* ranks */
	bool cut;    /* both ends miss each other */
	enum miss_why miss;
	double seconds;
};

struct votes {
	const struct votes_node *node;
	size_t n;
	size_t *machine; /* by rank: machine number, from 0 */
	size_t machines, heard;
	struct pair *pair;
	size_t pairs, cap, cuts;
	size_t *trouble; /* by rank: number of pairs */
	/* sets of nodes: the best set so far, and the current one */
	bool *best, *set;
	bool any;
};

static bool
heard(const struct votes *v, size_t rank)
{
	return v->node[rank].state == VOTES_HEARD;
}

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
add_pair(struct votes *v, size_t rank, const struct miss *m, struct hp_err *e)
{
	size_t peer = (size_t)m->peer;
	const struct miss *other;
	struct pair *p;

	if (!counts(m) || peer >= v->n || !heard(v, peer) ||
	    v->machine[rank] == v->machine[peer])
		return 0;
	other = find_miss(&v->node[peer], rank);
	/*
	 * The other end has heard this node again, so the link has recovered.
	 */
	if (other != NULL && other->back)
		return 0;
	if (counts(other) && peer < rank) /* added by the other end */
		return 0;
	p = array_room(v->pair, v->pairs, &v->cap, sizeof *p);
	if (p == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu links", v->pairs);
	v->pair = p;
	p += v->pairs++;
	*p = (struct pair){ rank, peer, counts(other), m->why, m->seconds };
	if (p->cut && other->why > p->miss)
		p->miss = other->why;
	if (p->cut && other->seconds > p->seconds)
		p->seconds = other->seconds;
	v->cuts += p->cut;
	v->trouble[rank]++;
	v->trouble[peer]++;
	return 0;
}

static int
find_pairs(struct votes *v, struct hp_err *e)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct misses *l = v->node[i].report;

		for (size_t k = 0; heard(v, i) && l != NULL && k < l->n; k++)
			if (add_pair(v, i, &l->v[k], e) == -1)
				return -1;
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
 * Called for each set of machines that explains all cut links.  Keeps the best
 * set of nodes: the ends of cut links on these machines.
 */
static void
found(void *context, const bool *in)
{
	struct votes *v = context;

	memset(v->set, 0, v->n * sizeof *v->set);
	for (size_t i = 0; i < v->pairs; i++) {
		const struct pair *p = &v->pair[i];

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

	for (size_t i = 0; i < v->pairs; i++) {
		size_t a = v->machine[v->pair[i].a];
		size_t b = v->machine[v->pair[i].b];

		if (v->pair[i].cut)
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
 * Drops a node if all reports are about this node, and most other machines sent
 * one.
 */
static enum votes_verdict
most_miss(struct votes *v, struct votes_fate *fate)
{
	size_t machines = 0, node;

	if (v->pairs == 0)
		return VOTES_NOBODY;
	node = v->pair[0].b;
	memset(v->set, 0, v->n * sizeof *v->set);
	for (size_t i = 0; i < v->pairs; i++) {
		size_t by = v->machine[v->pair[i].a];

		if (v->pair[i].b != node)
			return VOTES_NOBODY;
		/*
		 * The set has room for the machine: there are at most as many
		 * machines as nodes.
		 */
		machines += !v->set[by];
		v->set[by] = true;
	}
	if (machines < 2 || 2 * machines <= v->heard - 1)
		return VOTES_NOBODY;
	fate[node].why = VOTES_MISSED;
	return VOTES_DROP;
}

/* Finds the worst link of each dropped node, for the message. */
static void
describe(const struct votes *v, struct votes_fate *fate)
{
	for (size_t i = 0; i < 2 * v->pairs; i++) {
		const struct pair *p = &v->pair[i / 2];
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

	if (number_machines(v, e) == -1 || find_pairs(v, e) == -1)
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
	free(v.pair);
	return verdict;
}

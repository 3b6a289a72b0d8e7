#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "share/boxes.h"
#include "share/reach.h"
#include "share/search.h"

enum {
	/*
	 * Limits on the number of boxes to search. (A box is a range of time
	 * limits for each stage.) With these limits a plan for 1,000 nodes
	 * takes seconds.
	 */
	BOXES_MOST = 60000,
	BOXES_FEWEST = 300,
	NODES_BY_BOXES = 300000, /* boxes times nodes */
	/*
	 * The search for time limits of the stages divides the space of all
	 * limits into boxes. A box has a range of limits for each stage. Each
	 * end of a range is improved by this many steps of bisection.
	 */
	STEPS = 6,
	/*
	 * number of bisection steps for the first box, which has the widest
	 * ranges
	 */
	STEPS_FIRST = 60
};

struct box {
	double lo[STAGES], hi[STAGES]; /* limits in seconds */
	double least;		       /* sum of lo */
	/*
	 * rank of the node with more than half of the items; REACH_NONE: no
	 * node
	 */
	size_t big;
};

struct search {
	const struct problem *p;
	struct reach r;
	struct box *heap; /* the box with the least sum first */
	size_t n, cap;
	uint64_t sent;	 /* items on remote nodes, at least */
	uint64_t *share; /* shares in the current plan */
	/* the best plan: the share of each node; this is the caller's array */
	uint64_t *best;
	double best_s; /* makespan of the best plan */
	/*
	 * lower bound of the makespans of all plans that the search has dropped
	 * without looking at them
	 */
	double dropped_s;
};

static double
sum(const double *T)
{
	double s = 0;

	for (int k = 0; k < STAGES; k++)
		s += T[k];
	return s;
}

static int
push(struct search *s, const struct box *b, struct hp_err *e)
{
	size_t i = s->n;

	if (ARRAY_ROOM(s->heap, s->n, s->cap) == -1)
		return hp_fail(e, HP_NOMEM, "plan");
	s->n++;
	for (; i > 0 && s->heap[(i - 1) / 2].least > b->least; i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = *b;
	return 0;
}

static struct box
pop(struct search *s)
{
	struct box first = s->heap[0], last = s->heap[--s->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < s->n) {
		if (child + 1 < s->n &&
		    s->heap[child + 1].least < s->heap[child].least)
			child++;
		if (s->heap[child].least >= last.least)
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
	return first;
}

/*
 * Stores the shares as the best plan if their makespan is smaller than that of
 * the best plan so far.
 */
static void
consider(struct search *s, const uint64_t *n)
{
	double t = stages_makespan(s->p, n);

	if (t < s->best_s) {
		s->best_s = t;
		memcpy(s->best, n, s->r.n * sizeof *n);
	}
}

/*
 * Returns whether all items can be finished within the time limits T. If so,
 * finds shares that keep the limits, and stores them as the best plan if their
 * makespan is smaller.
 */
static bool
reaches(struct search *s, const double *T, size_t big)
{
	if (!reach_all(&s->r, T, big))
		return false;
	reach_shares(&s->r, big, s->share);
	consider(s, s->share);
	return true;
}

/*
 * Returns whether all items can be finished if the time limit T[k] is replaced
 * by t.
 */
static bool
reaches_with(struct search *s, double *T, int k, double t, size_t big)
{
	double old = T[k];
	bool yes;

	T[k] = t;
	yes = reach_all(&s->r, T, big);
	T[k] = old;
	return yes;
}

/*
 * Narrows the range of the time limit of stage k by bisection. The limits of
 * the other stages are the longest of the box. The lower end becomes the
 * longest limit found that is too short for all items. The upper end becomes
 * the shortest limit found that suffices, but only if longer limits would not
 * help any node.
 */
static void
narrow(struct search *s, struct box *b, int k, int steps)
{
	double lo = b->lo[k], hi = b->hi[k], mid;

	if (lo >= hi)
		return;
	if (reaches_with(s, b->hi, k, lo, b->big))
		hi = lo;
	for (int i = 0; i < steps && hi > lo; i++) {
		mid = lo + (hi - lo) / 2;
		if (mid <= lo || mid >= hi)
			break;
		if (reaches_with(s, b->hi, k, mid, b->big))
			hi = mid;
		else
			lo = mid;
	}
	b->lo[k] = lo;
	reach_all(&s->r, b->hi, b->big);
	if (reach_idle(&s->r, (enum stages_kind)k, hi, b->big))
		b->hi[k] = hi;
}

/*
 * Looks for a good plan within the box. A factor from 0 (the box's shortest
 * time limits) to 1 (its longest) sets the limits of all stages. Bisection
 * finds the smallest factor for which all items can be finished.
 */
static void
probe(struct search *s, const struct box *b)
{
	double lo = 0, hi = 1, T[STAGES];

	for (int i = 0; i < STEPS; i++) {
		double mid = (lo + hi) / 2;

		for (int k = 0; k < STAGES; k++)
			T[k] = b->lo[k] + mid * (b->hi[k] - b->lo[k]);
		if (reaches(s, T, b->big))
			hi = mid;
		else
			lo = mid;
	}
}

/*
 * Narrows the box, that is, its range of time limits for each stage of a run.
 * Returns false if the box can be dropped: no plan within its limits is better
 * than the best known plan by more than the fraction BOXES_NEAR.
 */
static bool
shrink(struct search *s, struct box *b, int steps)
{
	for (int k = 0; k < STAGES; k++) {
		double most = s->best_s - (sum(b->lo) - b->lo[k]);

		b->hi[k] = fmin(b->hi[k], fmax(most, b->lo[k]));
	}
	if (!reaches(s, b->hi, b->big))
		return false;
	for (int k = 0; k < STAGES; k++)
		narrow(s, b, k, steps);
	b->least = sum(b->lo);
	if (b->least < s->best_s * (1 - BOXES_NEAR))
		return true;
	s->dropped_s = fmin(s->dropped_s, b->least);
	return false;
}

/*
 * A box has a range of time limits for each stage of a run. Splits the box in
 * the middle of its widest range. Puts both halves on the heap of boxes to
 * search.
 */
static int
halve(struct search *s, const struct box *b, struct hp_err *e)
{
	struct box low = *b, high = *b;
	int widest = 0;
	double mid;

	for (int k = 1; k < STAGES; k++)
		if (b->hi[k] - b->lo[k] > b->hi[widest] - b->lo[widest])
			widest = k;
	mid = b->lo[widest] + (b->hi[widest] - b->lo[widest]) / 2;
	low.hi[widest] = mid;
	high.lo[widest] = mid;
	high.least = sum(high.lo);
	return push(s, &low, e) == -1 ? -1 : push(s, &high, e);
}

/*
 * Returns a lower bound of the makespans of all plans in which node `rank` has
 * more than half of the items. For each stage, takes the time of this node or
 * of the launcher, whichever is longer, when the node has the least such share.
 * The bound is the sum of these times. The exchange is left out, because there
 * the time of the node falls as its share grows.
 */
static double
least_with(const struct search *s, size_t rank)
{
	const struct problem *p = s->p;
	const struct node *node = &p->cluster->node[rank];
	struct stages_load load = { .items = s->sent };
	uint64_t n = p->total / 2 + 1;
	double sum_s = 0;

	if (curve_limit(&node->curve) < n)
		return INFINITY;
	if (node->host != NULL && load.items < n)
		load.items = n;
	load.nodes = load.items > 0;
	for (int k = 0; k < STAGES; k++)
		if (k != STAGES_EXCHANGE)
			sum_s += fmax(
			    stages_node(p, (enum stages_kind)k, rank, n),
			    stages_launcher(p, (enum stages_kind)k, &load));
	return sum_s;
}

/*
 * Begins the search for plans in which node `big` has more than half of the
 * items (REACH_NONE: no node has). The first box covers all time limits from 0
 * to the best known makespan. Puts it on the heap.
 */
static int
begin(struct search *s, size_t big, struct hp_err *e)
{
	struct box b = { .big = big };

	/* In a large cluster, this spares almost all nodes the box. */
	if (big != REACH_NONE && least_with(s, big) >= s->best_s)
		return 0;
	for (int k = 0; k < STAGES; k++)
		b.hi[k] = s->best_s;
	/* There may be many boxes of large nodes, and few are ever halved. */
	if (!shrink(s, &b, big == REACH_NONE ? STEPS_FIRST : STEPS))
		return 0;
	return push(s, &b, e);
}

/*
 * Returns the least number of items that must be sent to remote nodes, because
 * the nodes on the launcher's machine cannot take more.
 */
static uint64_t
least_sent(const struct problem *p)
{
	const struct cluster *c = p->cluster;
	uint64_t left = p->total, limit;

	for (size_t i = 0; i < c->n && left > 0; i++) {
		if (c->node[i].host != NULL)
			continue;
		limit = curve_limit(&c->node[i].curve);
		left -= limit < left ? limit : left;
	}
	return left;
}

static int
search(struct search *s, double *bound, struct hp_err *e)
{
	size_t most = NODES_BY_BOXES / s->r.n, i = 0;
	struct box b;

	if (most < BOXES_FEWEST)
		most = BOXES_FEWEST;
	if (most > BOXES_MOST)
		most = BOXES_MOST;
	/*
	 * First search the plans in which no node has more than half of the
	 * items: the best plan is usually among them. When it is known, most
	 * searches for plans with one large node end at once.
	 */
	if (begin(s, REACH_NONE, e) == -1)
		return -1;
	/* Without an exchange, no node with more than half is special. */
	for (size_t big = 0; big < s->r.n && !s->p->by_key; big++)
		if (begin(s, big, e) == -1)
			return -1;
	while (s->n > 0 && s->heap[0].least < s->best_s * (1 - BOXES_NEAR)) {
		if (i++ == most)
			break;
		b = pop(s);
		if (!shrink(s, &b, STEPS))
			continue;
		probe(s, &b);
		if (halve(s, &b, e) == -1)
			return -1;
	}
	*bound = fmin(s->best_s, s->dropped_s);
	if (s->n > 0)
		*bound = fmin(*bound, s->heap[0].least);
	return 0;
}

int
boxes_solve(
    const struct problem *p, uint64_t *n, double *bound, struct hp_err *e)
{
	struct search s = {
		.p = p, .best = n, .best_s = INFINITY, .dropped_s = INFINITY
	};
	int rc = -1;

	if (reach_init(&s.r, p, e) == -1)
		return -1;
	s.sent = least_sent(p);
	s.share = calloc(s.r.n, sizeof *s.share);
	if (s.share == NULL)
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", s.r.n);
	else if (share_exact(p->cluster, p->total, s.share, NULL, e) == 0) {
		consider(&s, s.share);
		*bound = s.best_s;
		/* Without items, there is only one plan. */
		rc = p->total == 0 ? 0 : search(&s, bound, e);
	}
	free(s.share);
	free(s.heap);
	reach_fini(&s.r);
	return rc;
}

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "split/select.h"

static int
check(const struct candidates *c, struct hp_err *e)
{
	for (size_t j = 0; j < c->list.n; j++) {
		const struct pivot *p = &c->list.v[j];

		if (p->rank >= c->nodes)
			return hp_fail(e, HP_INPUT,
			    "a candidate of rank %" PRIu64
			    ", the plan has %zu nodes",
			    p->rank, c->nodes);
		if (p->index >= c->records[p->rank])
			return hp_fail(e, HP_INPUT,
			    "a candidate of rank %" PRIu64 " has index %" PRIu64
			    ", the node has %" PRIu64 " records",
			    p->rank, p->index, c->records[p->rank]);
	}
	return 0;
}

int
select_random(const struct candidates *c, double *below, struct hp_err *e)
{
	double sum = 0, scale = (double)c->list.n / (double)(c->list.n + 1);
	uint64_t *of;

	if (check(c, e) == -1)
		return -1;
	if ((of = calloc(c->nodes + 1, sizeof *of)) == NULL)
		return hp_fail(e, HP_NOMEM, "%zu nodes", c->nodes);
	for (size_t j = 0; j < c->list.n; j++)
		of[c->list.v[j].rank]++;
	for (size_t j = 0; j < c->list.n; j++) {
		uint64_t rank = c->list.v[j].rank;

		sum += (double)c->records[rank] / (double)of[rank];
		below[j] = sum * scale;
	}
	free(of);
	return 0;
}

/* Linked lists of candidates: one list per node, sorted by position. */
struct chains {
	/*
	 * next[i] is the index of the candidate that follows candidate i on the
	 * same node. If no candidate follows, next[i] is list.n, the number of
	 * all candidates.
	 */
	size_t *next;
	/*
	 * head[r] is the index of node r's next candidate. If no candidate is
	 * left, head[r] is list.n, the number of all candidates.
	 */
	size_t *head;
	/*
	 * guess[r] estimates how many records of node r lie before the current
	 * position.
	 */
	double *guess;
};

/*
 * Estimates how many records of a node lie before a position: the middle
 * between the indices of the node's last candidate before the position and its
 * next candidate.
 */
static double
between(const struct candidates *c, uint64_t low, size_t ahead, uint64_t rank)
{
	uint64_t high = ahead < c->list.n ? c->list.v[ahead].index
					  : c->records[rank];

	return ((double)low + (double)high) / 2;
}

static int
chain(const struct candidates *c, struct chains *h, struct hp_err *e)
{
	const struct pivot *v = c->list.v;

	for (size_t r = 0; r < c->nodes; r++)
		h->head[r] = c->list.n;
	for (size_t j = c->list.n; j-- > 0;) {
		h->next[j] = h->head[v[j].rank];
		h->head[v[j].rank] = j;
		if (h->next[j] < c->list.n && v[h->next[j]].index <= v[j].index)
			return hp_fail(e, HP_INPUT,
			    "the candidates of rank %" PRIu64
			    " are not from a sorted input",
			    v[j].rank);
	}
	return 0;
}

static void
sweep(const struct candidates *c, struct chains *h, double *below)
{
	double sum = 0;

	for (size_t r = 0; r < c->nodes; r++) {
		h->guess[r] = between(c, 0, h->head[r], r);
		sum += h->guess[r];
	}
	for (size_t j = 0; j < c->list.n; j++) {
		const struct pivot *p = &c->list.v[j];
		double after = between(c, p->index + 1, h->next[j], p->rank);

		below[j] = sum - h->guess[p->rank] + (double)p->index;
		sum += after - h->guess[p->rank];
		h->guess[p->rank] = after;
	}
}

int
select_regular(const struct candidates *c, double *below, struct hp_err *e)
{
	struct chains h = { 0 };
	int rc = -1;

	if (check(c, e) == -1)
		return -1;
	h.next = calloc(c->list.n + 1, sizeof *h.next);
	h.head = calloc(c->nodes + 1, sizeof *h.head);
	h.guess = calloc(c->nodes + 1, sizeof *h.guess);
	if (h.next == NULL || h.head == NULL || h.guess == NULL)
		hp_fail(e, HP_NOMEM, "%zu candidates", c->list.n);
	else if (chain(c, &h, e) == 0) {
		sweep(c, &h, below);
		rc = 0;
	}
	free(h.guess);
	free(h.head);
	free(h.next);
	return rc;
}

int
select_nearest(const struct candidates *c, const double *below, uint64_t target,
    uint64_t total, struct sublist *s, struct hp_err *e)
{
	double t = (double)target, to_start = t, to_end = (double)total - t;
	size_t low = 0, high = c->list.n, middle;
	const struct pivot least = { 0 }, *chosen = &least;
	double to_pivot;

	s->bounded = true;
	/*
	 * below[] estimates how many records lie before each candidate. Find
	 * the first candidate with an estimate of at least the target. Choose
	 * this candidate or the one before, whichever is nearer to the target.
	 */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (below[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 &&
	    (low == c->list.n || t - below[low - 1] <= below[low] - t))
		low--;
	if (c->list.n > 0) {
		to_pivot = fabs(below[low] - t);
		if (to_pivot < to_start && to_pivot < to_end)
			chosen = &c->list.v[low];
	}
	/*
	 * `least` is the empty key, which sorts before all records. A sublist
	 * that ends there has no records. If the target is nearer to `total`
	 * than to 0, let the sublist have no end instead. It then gets all
	 * remaining records.
	 */
	if (chosen == &least && to_end < to_start) {
		s->bounded = false;
		return 0;
	}
	if (pivot_copy(&s->until, chosen) == -1)
		return hp_fail(e, HP_NOMEM, "a pivot");
	return 0;
}

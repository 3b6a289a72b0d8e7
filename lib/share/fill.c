#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/inverse.h"
#include "share/fill.h"
#include "share/halfway.h"

double
share_key_items(const struct node *node, uint64_t n)
{
	(void)node;
	return (double)n;
}

double
share_key_speed(const struct node *node, uint64_t n)
{
	return (double)n / node->curve.speed;
}

double
share_key_time(const struct node *node, uint64_t n)
{
	return curve_time(&node->curve, n);
}

static uint64_t
add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t
share_capacity(const struct cluster *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum = add(sum, curve_limit(&c->node[i].curve));
	return sum;
}

struct next {
	double key;
	uint32_t rank;
};

static bool
before(const struct next *a, const struct next *b)
{
	return a->key < b->key || (a->key == b->key && a->rank < b->rank);
}

/*
 * Moves the empty place at index i down the heap to where the entry belongs,
 * and stores the entry there.
 */
static void
sift(struct next *heap, size_t len, size_t i, struct next entry)
{
	size_t child;

	while ((child = 2 * i + 1) < len) {
		if (child + 1 < len && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &entry))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = entry;
}

/*
 * Builds a heap of all nodes that can take one more item. Returns the number of
 * nodes in it.
 */
static size_t
heap_build(const struct cluster *c, share_key *key, const uint64_t *n,
    struct next *heap)
{
	size_t len = 0;

	for (size_t i = 0; i < c->n; i++)
		if (n[i] < curve_limit(&c->node[i].curve))
			heap[len++] = (struct next){ key(&c->node[i], n[i] + 1),
				(uint32_t)i };
	for (size_t i = len / 2; i-- > 0;)
		sift(heap, len, i, heap[i]);
	return len;
}

int
share_hand_out(const struct cluster *c, share_key *key, uint64_t rest,
    uint64_t *n, struct hp_err *e)
{
	struct next *heap, top;
	size_t len;

	if (rest == 0)
		return 0;
	if ((heap = reallocarray(NULL, c->n, sizeof *heap)) == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	len = heap_build(c, key, n, heap);
	for (; rest > 0 && len > 0; rest--) {
		const struct node *node = &c->node[heap[0].rank];
		uint64_t *share = &n[heap[0].rank];

		top = heap[0];
		if (++*share < curve_limit(&node->curve))
			top.key = key(node, *share + 1);
		else
			top = heap[--len];
		if (len > 0)
			sift(heap, len, 0, top);
	}
	free(heap);
	return 0;
}

/*
 * Stores in n[i] how many items node i can finish by the time T, but at least
 * base[i]. Returns the sum.
 */
static uint64_t
shares_by(const struct cluster *c, double T, const uint64_t *base,
    const uint64_t *near, uint64_t *n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n; i++) {
		n[i] = curve_upto(&c->node[i].curve, T, near[i]);
		if (n[i] < base[i])
			n[i] = base[i];
		sum = add(sum, n[i]);
	}
	return sum;
}

struct level {
	const struct cluster *c;
	/*
	 * `few` is the maximum number of items that are handed out one by one.
	 */
	uint64_t total, few;
	uint64_t *base;	    /* least share of each node */
	uint64_t *low, sum; /* shares at time lo, and their sum */
	uint64_t *high;	    /* buffer for the shares at other times */
	/*
	 * Two times between which the search goes on. By lo, the nodes can
	 * finish at most `total` items. By hi, they can finish at least `total`
	 * items.
	 */
	double lo, hi;
};

/*
 * Sets v->lo to a time so early that the nodes can finish at most `total` items
 * by then. First tries a time just before `guess`.
 */
static void
bracket_below(struct level *v, double guess)
{
	double width = 1e-14;

	for (;;) {
		v->lo = width < 1 ? guess * (1 - width) : -1;
		v->sum = shares_by(v->c, v->lo, v->base, v->low, v->low);
		if (v->sum <= v->total)
			break;
		width *= 64;
	}
}

/*
 * Raises hi, beginning with the guess, until the nodes finish at least total
 * items by the time hi.
 */
static void
bracket_above(struct level *v, double guess)
{
	double width = 1e-14;

	for (v->hi = guess; v->hi < INFINITY; width *= 64) {
		v->hi = fmax(v->hi, guess) * (1 + width) + 1e-300;
		if (shares_by(v->c, v->hi, v->base, v->low, v->high) >=
		    v->total)
			return;
	}
}

/* Returns whether there is a double between lo and hi; lo may be -1. */
static bool
between(double lo, double hi)
{
	return lo < 0 ? hi > 0 : nextafter(lo, INFINITY) < hi;
}

/*
 * Narrows lo .. hi by bisection, until only a few items remain or no double
 * lies between lo and hi.
 */
static void
narrow(struct level *v)
{
	uint64_t *mid, sum;

	while (v->total - v->sum > v->few && between(v->lo, v->hi)) {
		double T = v->lo < 0 ? 0 : halfway(v->lo, v->hi);

		sum = shares_by(v->c, T, v->base, v->low, v->high);
		if (sum > v->total) {
			v->hi = T;
			continue;
		}
		v->lo = T;
		v->sum = sum;
		mid = v->low;
		v->low = v->high;
		v->high = mid;
	}
}

/*
 * Hands out the remaining items: each node in the order of the ranks gets as
 * many as it can finish by T. A node that needs more than T for its base share
 * gets none.
 */
static void
spread(struct level *v, double T)
{
	uint64_t rest = v->total - v->sum, most, more;

	for (size_t i = 0; i < v->c->n && rest > 0; i++) {
		most = curve_upto(&v->c->node[i].curve, T, v->low[i]);
		more = most > v->low[i] ? most - v->low[i] : 0;
		if (more > rest)
			more = rest;
		v->low[i] += more;
		rest -= more;
	}
	v->sum = v->total - rest;
}

int
share_level(const struct cluster *c, uint64_t total, double guess, uint64_t *n,
    struct hp_err *e)
{
	struct level v = { .c = c, .total = total, .few = c->n + 64 };
	int rc;

	v.base = reallocarray(NULL, c->n, sizeof *v.base);
	v.low = reallocarray(NULL, c->n, sizeof *v.low);
	v.high = reallocarray(NULL, c->n, sizeof *v.high);
	if (v.base == NULL || v.low == NULL || v.high == NULL) {
		rc = hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
		goto out;
	}
	memcpy(v.base, n, c->n * sizeof *n);
	for (size_t i = 0; i < c->n; i++)
		v.low[i] = (uint64_t)curve_inverse(
		    &c->node[i].curve, guess, NULL);
	bracket_below(&v, guess);
	if (total - v.sum > v.few) {
		bracket_above(&v, guess);
		narrow(&v);
		/*
		 * The search for the finish time ends when no double lies
		 * between lo and hi. By lo the nodes finish too few items, by
		 * hi enough. So all remaining items finish at hi.
		 */
		if (total - v.sum > v.few)
			spread(&v, v.hi);
		/*
		 * If times decrease for larger shares, items may remain. Give
		 * them to any nodes that can take them.
		 */
		if (total - v.sum > v.few)
			spread(&v, INFINITY);
	}
	memcpy(n, v.low, c->n * sizeof *n);
	rc = 0;
out:
	free(v.base);
	free(v.low);
	free(v.high);
	return rc == 0 ? share_hand_out(c, share_key_time, total - v.sum, n, e)
		       : -1;
}

#include <math.h>
#include <stdlib.h>

#include "share/halfway.h"
#include "share/shape.h"
#include "share/sums.h"

struct search {
	const struct cluster *c;
	uint64_t total;
	/*
	 * within[i] is the set of all numbers of items that node i can finish
	 * by the time T.
	 */
	struct set *within;
	/*
	 * sum[i] is the set of all numbers of items that the first i nodes in
	 * `order` can finish together. Nodes that can take any number of items
	 * up to a large number come first, because then the sets have fewer
	 * gaps.
	 */
	struct set *sum;
	uint32_t *order;
};

static void
search_fini(struct search *s)
{
	for (size_t i = 0; s->within != NULL && i < s->c->n; i++)
		set_fini(&s->within[i]);
	for (size_t i = 0; s->sum != NULL && i <= s->c->n; i++)
		set_fini(&s->sum[i]);
	free(s->within);
	free(s->sum);
	free(s->order);
}

static int
search_init(
    struct search *s, const struct cluster *c, uint64_t total, struct hp_err *e)
{
	*s = (struct search){ .c = c, .total = total };
	s->within = calloc(c->n, sizeof *s->within);
	s->sum = calloc(c->n + 1, sizeof *s->sum);
	s->order = calloc(c->n, sizeof *s->order);
	if (s->within == NULL || s->sum == NULL || s->order == NULL)
		goto nomem;
	s->sum[0].range = calloc(1, sizeof *s->sum[0].range);
	if (s->sum[0].range == NULL)
		goto nomem;
	s->sum[0].n = 1;
	for (size_t i = 0; i < c->n; i++) {
		size_t n = curve_ranges(&c->node[i].curve);

		s->within[i].range = reallocarray(
		    NULL, n, sizeof *s->within[i].range);
		if (s->within[i].range == NULL)
			goto nomem;
	}
	return 0;
nomem:
	search_fini(s);
	return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
}

static int
by_first_range(const void *a, const void *b, void *context)
{
	const struct set *within = context;
	uint64_t x = within[*(const uint32_t *)a].range[0].hi;
	uint64_t y = within[*(const uint32_t *)b].range[0].hi;

	return (x < y) - (x > y);
}

static int
add_up(struct search *s, struct hp_err *e)
{
	for (size_t i = 0; i < s->c->n; i++)
		s->order[i] = (uint32_t)i;
	qsort_r(s->order, s->c->n, sizeof *s->order, by_first_range, s->within);
	for (size_t i = 0; i < s->c->n; i++)
		if (set_add(&s->sum[i], &s->within[s->order[i]], s->total,
			&s->sum[i + 1], e) == -1)
			return -1;
	return 0;
}

/*
 * Returns 1 if the nodes together can finish all items by the time T, 0 if they
 * cannot, -1 on error.
 */
static int
suffices(struct search *s, double T, struct hp_err *e)
{
	for (size_t i = 0; i < s->c->n; i++)
		s->within[i].n = curve_within(
		    &s->c->node[i].curve, T, s->within[i].range);
	if (add_up(s, e) == -1)
		return -1;
	return set_has(&s->sum[s->c->n], s->total);
}

/*
 * Finds shares that all nodes finish by the time that suffices() tested last.
 * Returns the makespan of these shares.
 */
static double
trace_back(const struct search *s, uint64_t *n)
{
	uint64_t left = s->total;
	double latest = 0;

	for (size_t i = s->c->n; i-- > 0;) {
		uint32_t rank = s->order[i];

		set_split(&s->sum[i], &s->within[rank], left, &n[rank]);
		left -= n[rank];
		latest = fmax(
		    latest, curve_time(&s->c->node[rank].curve, n[rank]));
	}
	return latest;
}

int
share_shape(
    const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	struct search s;
	double lo = -1, hi = 1;
	int rc;

	if (search_init(&s, c, total, e) == -1)
		return -1;
	/* Invariant: lo does not suffice, hi suffices. */
	if ((rc = suffices(&s, 0, e)) == 0)
		for (lo = 0; (rc = suffices(&s, hi, e)) == 0; hi *= 64)
			lo = hi;
	if (rc == 1)
		hi = trace_back(&s, n);
	while (rc != -1 && lo >= 0 && nextafter(lo, INFINITY) < hi) {
		double T = halfway(lo, hi);

		/*
		 * The makespan can be greater than T by rounding. So limit hi
		 * to T.
		 */
		if ((rc = suffices(&s, T, e)) == 1)
			hi = fmin(trace_back(&s, n), T);
		else
			lo = T;
	}
	search_fini(&s);
	return rc == -1 ? -1 : 0;
}

/*
 * Returns 1 if another plan has the same makespan as n[], 0 if none has, -1 on
 * error. Any other plan gives more items to at least one node. So for each
 * node, `others` is the set of all sums of the other nodes. Another plan exists
 * if total minus one of these sums exceeds n[i], and node i can finish so many
 * items.
 */
static int
another(struct search *s, const uint64_t *n, struct hp_err *e)
{
	struct set behind = { calloc(1, sizeof(struct range)), 1, 1 };
	struct set others = { 0 }, next = { 0 }, swap;
	uint64_t most;
	int rc = behind.range == NULL
	    ? hp_fail(e, HP_NOMEM, "plan for %zu nodes", s->c->n)
	    : 0;

	for (size_t i = s->c->n; i-- > 0 && rc == 0;) {
		uint32_t rank = s->order[i];
		const struct set *within = &s->within[rank];

		if (set_add(&s->sum[i], &behind, s->total, &others, e) == -1)
			rc = -1;
		else if (set_split(&others, within, s->total, &most) &&
		    most > n[rank])
			rc = 1;
		else
			rc = set_add(within, &behind, s->total, &next, e);
		swap = behind;
		behind = next;
		next = swap;
	}
	set_fini(&behind);
	set_fini(&others);
	set_fini(&next);
	return rc;
}

int
share_shape_certify(const struct cluster *c, uint64_t total, const uint64_t *n,
    struct certificate *v, struct hp_err *e)
{
	struct search s;
	int less = 0, more = 0;

	*v = (struct certificate){ 0 };
	v->makespan = share_makespan(c, n, &v->last);
	if (search_init(&s, c, total, e) == -1)
		return -1;
	if (v->makespan > 0)
		less = suffices(&s, nextafter(v->makespan, 0), e);
	if (less == 0 && (more = suffices(&s, v->makespan, e)) == 1)
		more = another(&s, n, e);
	search_fini(&s);
	v->optimal = less == 0;
	v->unique = v->optimal && more == 0;
	return less == -1 || more == -1 ? -1 : 0;
}

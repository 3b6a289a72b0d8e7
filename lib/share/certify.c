#include "share/certify.h"

static const uint64_t MOST = (uint64_t)1 << 62;

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

double
share_makespan(const struct cluster *c, const uint64_t *n, size_t *last)
{
	double latest = 0, t;

	*last = 0;
	for (size_t i = 0; i < c->n; i++) {
		t = curve_time(&c->node[i].curve, n[i]);
		if (t > latest) {
			latest = t;
			*last = i;
		}
	}
	return latest;
}

void
share_certify(const struct cluster *c, uint64_t total, const uint64_t *n,
    struct certificate *v)
{
	*v = (struct certificate){ 0 };
	v->makespan = share_makespan(c, n, &v->last);
	for (size_t i = 0; i < c->n; i++) {
		const struct curve *t = &c->node[i].curve;
		uint64_t below = curve_below(t, v->makespan, n[i]);
		uint64_t upto = below;

		/*
		 * The node finishes `below` items before the makespan and
		 * `upto` items by the makespan. In most cases both numbers are
		 * equal. This test then saves the search for `upto`.
		 */
		if (curve_time(t, below + 1) <= v->makespan)
			upto = curve_upto(t, v->makespan, below + 1);

		/*
		 * Limit the sums: 2^31 nodes with 2^53 items each would
		 * overflow.
		 */
		v->below = least(v->below + least(below, total), MOST);
		v->upto = least(v->upto + least(upto, total), MOST);
	}
	/* A makespan of 0 is always optimal. */
	v->optimal = v->below < total || v->makespan == 0;
	v->unique = v->optimal && (v->upto == total || total == 0);
}

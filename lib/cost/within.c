#include <math.h>

#include "cost/within.h"

size_t
curve_ranges(const struct curve *c)
{
	return 2 * ((size_t)c->npoints + 2);
}

/*
 * Finds where the time t(n) crosses T between lo and hi. If t(lo) <= T, returns
 * the largest n with t(n) <= T. Otherwise returns the largest n with t(n) > T.
 * The time must be monotonic between lo and hi.
 */
static uint64_t
last_alike(const struct curve *c, double T, uint64_t lo, uint64_t hi)
{
	bool in = curve_time(c, lo) <= T;

	if ((curve_time(c, hi) <= T) == in)
		return hi;
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		if ((curve_time(c, mid) <= T) == in)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct ranges {
	struct range *range;
	size_t n;
};

static void
append(struct ranges *r, uint64_t lo, uint64_t hi)
{
	if (r->n > 0 && r->range[r->n - 1].hi + 1 >= lo)
		r->range[r->n - 1].hi = hi;
	else
		r->range[r->n++] = (struct range){ lo, hi };
}

/*
 * Appends the sizes from lo to hi whose time is at most T. The time must be
 * monotonic there.
 */
static void
one_way(
    const struct curve *c, double T, uint64_t lo, uint64_t hi, struct ranges *r)
{
	uint64_t last = last_alike(c, T, lo, hi);

	if (curve_time(c, lo) <= T)
		append(r, lo, last);
	else if (last < hi)
		append(r, last + 1, hi);
}

/*
 * Returns the size with the least time in a segment, where t = x/(a + b x) + d
 * x. If t decreases at first (a < 0), the minimum is where (a + b x)^2 = -a/d.
 * Returns lo if the minimum is not inside the segment.
 */
static uint64_t
turn(const struct curve *c, uint32_t i, uint64_t lo, uint64_t hi)
{
	const struct point *p = &c->point[i - 1], *q = &c->point[i];
	long double s0 = p->n / (long double)p->seconds;
	long double s1 = q->n / (long double)q->seconds, dn = q->n - p->n;
	/*
	 * Equals p->n q->n (1/t0 - 1/t1)/dn, where t0 and t1 are the times of
	 * the points p and q. This form is more accurate, because it subtracts
	 * no nearly equal terms.
	 */
	long double a = s0 * s1 * (q->seconds - (long double)p->seconds) / dn;
	long double b = (s1 - s0) / dn, x;
	uint64_t n;

	if (c->seconds_per_item == 0 || a >= 0)
		return lo;
	x = (sqrtl(-a / c->seconds_per_item) - a) / b;
	if (!(x > (double)lo && x < (double)hi))
		return lo;
	n = (uint64_t)x;
	return curve_time(c, n + 1) < curve_time(c, n) ? n + 1 : n;
}

static void
piece_within(const struct curve *c, double T, uint32_t i, uint64_t lo,
    uint64_t hi, struct ranges *r)
{
	uint64_t low = i > 0 ? turn(c, i, lo, hi) : lo;

	if (low > lo) {
		one_way(c, T, lo, low, r);
		lo = low;
	}
	one_way(c, T, lo, hi, r);
}

size_t
curve_within(const struct curve *c, double T, struct range *range)
{
	struct ranges r = { range, 0 };
	uint64_t limit = curve_limit(c), lo = 1, hi;
	uint32_t last = c->npoints > 0 ? c->npoints - 1 : 0;

	append(&r, 0, 0);
	for (uint32_t i = 0; i < c->npoints && lo <= limit; i++) {
		hi = (uint64_t)c->point[i].n;
		if (hi > limit)
			hi = limit;
		if (lo <= hi)
			piece_within(c, T, i, lo, hi, &r);
		lo = hi + 1;
	}
	/*
	 * Beyond the last point, the curve may continue with the slope of the
	 * last segment.
	 */
	if (lo <= limit)
		piece_within(
		    c, T, c->beyond == BEYOND_LINEAR ? last : 0, lo, limit, &r);
	return r.n;
}

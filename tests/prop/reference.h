#ifndef HP_TEST_REFERENCE_H
#define HP_TEST_REFERENCE_H

/*
 * An exact reference for plans that shares no code with lib/share and lib/cost.
 * It computes times with 113 bits and splits the sizes where a time can change
 * its direction. Between these places a time is monotonic, so bisection finds
 * all sizes that a node can do in a given time. They form few ranges. The sums
 * of one size per node again form few ranges. A plan that finishes by the given
 * time exists if and only if one of the sums is the total.
 */

#include "reference_costs.h"
#include "share/cluster.h"
#include "test.h"

enum {
	NODES = 4,
	POINTS = 5,
	/*
	 * Places where a time can change direction: special sizes and their
	 * neighbours.
	 */
	TURNS = 3 * (NODES * POINTS + POINTS + 4) + 1,
	RANGES = 4096 /* ranges of sums */
};

struct span {
	uint64_t lo, hi;
};

/* A node in the reference. */
struct machine {
	struct point point[POINTS];
	size_t points; /* 0: by speed */
	enum beyond beyond;
	double speed, latency, per_item;
	uint64_t capacity;
};

struct trial {
	const struct cost_case *by;
	double A, B;
	char text[200];
	struct machine m[NODES];
	size_t nodes;
	uint64_t total;
	bool rises;   /* all times are non-decreasing */
	bool learned; /* times come from `known` alone */
	/* points of the learned cost, from (0, 0) */
	struct known known[NODES * POINTS + 1];
	size_t nknown;
	struct cluster c;
	struct cost cost;
};

static quad
between(const struct point *p, const struct point *q, quad x)
{
	quad s0 = (quad)p->n / p->seconds, s1 = (quad)q->n / q->seconds;
	quad s = s0 + (s1 - s0) * (x - p->n) / ((quad)q->n - p->n);

	return s > 0 ? x / s : (quad)INFINITY;
}

static quad
measured(const struct machine *m, quad x)
{
	const struct point *p = m->point;
	size_t last = m->points - 1, i = 0;

	while (i <= last && p[i].n < x)
		i++;
	if (i == 0)
		return x * p[0].seconds / p[0].n;
	if (i <= last)
		return between(&p[i - 1], &p[i], x);
	if (m->beyond == BEYOND_STOP)
		return INFINITY;
	if (m->beyond == BEYOND_LINEAR && last > 0)
		return between(&p[last - 1], &p[last], x);
	return x * p[last].seconds / p[last].n;
}

static quad
learned(const struct trial *t, quad x)
{
	const struct known *k = t->known;
	size_t last = t->nknown, i = 1;
	quad slope, level;

	while (i <= last && k[i].n < x)
		i++;
	if (i <= last) {
		slope = ((quad)k[i].cost - k[i - 1].cost) /
		    ((quad)k[i].n - k[i - 1].n);
		return k[i - 1].cost + slope * (x - k[i - 1].n);
	}
	slope = ((quad)k[last].cost - k[last - 1].cost) /
	    ((quad)k[last].n - k[last - 1].n);
	level = (quad)k[last].cost / k[last].n;
	return k[last].cost + (slope > level ? slope : level) * (x - k[last].n);
}

static quad
time_of(const struct trial *t, size_t i, uint64_t n)
{
	const struct machine *m = &t->m[i];
	quad x = n, y;

	if (n == 0)
		return 0;
	if (n > m->capacity)
		return INFINITY;
	if (t->learned) {
		if (m->points > 0 && isinf((double)measured(m, x)))
			return INFINITY;
		y = learned(t, x) / m->speed;
	} else
		y = m->points > 0 ? measured(m, x)
				  : t->by->at(x, t->A, t->B) / m->speed;
	return y + m->latency + x * m->per_item;
}

static void
turn_at(double x, uint64_t total, uint64_t *turn, size_t *n)
{
	for (int i = -1; i <= 1; i++) {
		double y = floor(x) + i;

		if (y >= 1 && y < (double)total)
			turn[(*n)++] = (uint64_t)y;
	}
}

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Finds where the node's time can change direction: the last sizes of monotonic
 * stretches.
 */
static size_t
turns(const struct trial *t, const struct machine *m, uint64_t *turn)
{
	size_t n = 0;

	if (t->learned)
		for (size_t i = 1; i <= t->nknown; i++)
			turn_at(t->known[i].n, t->total, turn, &n);
	for (size_t i = 0; i < m->points; i++)
		turn_at(m->point[i].n, t->total, turn, &n);
	if (m->points == 0 && !t->learned) {
		turn_at(t->A, t->total, turn, &n);
		turn_at(t->A + t->B, t->total, turn, &n);
		turn_at(t->A / 2, t->total, turn, &n);
	}
	/* A decreasing time turns at the capacity of the node. */
	turn_at((double)m->capacity, t->total, turn, &n);
	turn[n++] = t->total;
	qsort(turn, n, sizeof *turn, by_value);
	return n;
}

static int
by_lo(const void *a, const void *b)
{
	return by_value(
	    &((const struct span *)a)->lo, &((const struct span *)b)->lo);
}

static size_t
join(struct span *s, size_t n)
{
	size_t kept = 0;

	qsort(s, n, sizeof *s, by_lo);
	for (size_t i = 1; i < n; i++)
		if (s[i].lo > s[kept].hi + 1)
			s[++kept] = s[i];
		else if (s[i].hi > s[kept].hi)
			s[kept].hi = s[i].hi;
	return n > 0 ? kept + 1 : 0;
}

/* Finds the sizes up to the total that the node finishes by the time T. */
static size_t
within(const struct trial *t, size_t i, quad T, struct span *s)
{
	uint64_t turn[TURNS], first = 1, lo, hi, mid;
	size_t n = turns(t, &t->m[i], turn), found = 1;

	s[0] = (struct span){ 0, 0 };
	for (size_t j = 0; j < n; first = turn[j++] + 1) {
		bool in, out;

		if (first > turn[j])
			continue;
		in = time_of(t, i, first) <= T;
		out = time_of(t, i, turn[j]) > T;
		if (in && !out)
			s[found++] = (struct span){ first, turn[j] };
		if (in != out)
			continue;
		for (lo = first, hi = turn[j]; hi - lo > 1;) {
			mid = lo + (hi - lo) / 2;
			if ((time_of(t, i, mid) <= T) == in)
				lo = mid;
			else
				hi = mid;
		}
		s[found++] = in ? (struct span){ first, lo }
				: (struct span){ hi, turn[j] };
	}
	return join(s, found);
}

/* Returns whether some plan finishes by the time T. */
static bool
possible(const struct trial *t, quad T)
{
	static struct span sum[RANGES], next[RANGES];
	struct span its[TURNS + 1];
	size_t sums = 1, n, k;

	sum[0] = (struct span){ 0, 0 };
	for (size_t i = 0; i < t->nodes; i++) {
		n = within(t, i, T, its);
		k = 0;
		for (size_t a = 0; a < sums; a++)
			for (size_t b = 0; b < n; b++) {
				uint64_t lo = sum[a].lo + its[b].lo;
				uint64_t hi = sum[a].hi + its[b].hi;

				if (lo > t->total || k == RANGES)
					continue;
				next[k++] = (struct span){ lo,
					hi < t->total ? hi : t->total };
			}
		sums = join(next, k);
		memcpy(sum, next, sums * sizeof *sum);
	}
	for (size_t a = 0; a < sums; a++)
		if (sum[a].lo <= t->total && sum[a].hi >= t->total)
			return true;
	return false;
}

#endif

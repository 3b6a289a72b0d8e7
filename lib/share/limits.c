#include <math.h>

#include "share/limits.h"

/* The arguments of limits_node or limits_launcher. */
struct question {
	const struct problem *p;
	enum stages_kind kind;
	size_t rank;
	bool launcher;
	double T;
};

static bool
in_time(const struct question *q, uint64_t n)
{
	const struct stages_load items = { .items = n }, nodes = { .nodes = n };
	double t;

	if (q->launcher)
		t = stages_launcher(
		    q->p, q->kind, q->kind == STAGES_PIVOTS ? &nodes : &items);
	else
		t = stages_node(q->p, q->kind, q->rank, n);

	return t <= q->T;
}

/*
 * Returns the largest number of items, at most `limit`, for which in_time
 * returns true. Searches from `near` in growing steps, then by bisection.
 */
static uint64_t
last_in_time(const struct question *q, uint64_t near, uint64_t limit)
{
	uint64_t lo = 0, hi = limit, step = 1;

	if (near > limit)
		near = limit;
	if (in_time(q, near)) {
		for (lo = near; lo < limit; lo = hi, step *= 2) {
			hi = limit - lo > step ? lo + step : limit;
			if (!in_time(q, hi))
				break;
		}
		if (lo == limit)
			return limit;
	} else
		for (hi = near; hi > 0; hi = lo, step *= 2) {
			lo = hi > step ? hi - step : 0;
			if (lo == 0 || in_time(q, lo))
				break;
		}
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (in_time(q, mid))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Returns about how many items can be transferred in the time T. The result is
 * a start value for a search.
 */
static uint64_t
about(const struct problem *p, double latency_s, double rate, double T)
{
	double n = (T - latency_s) * rate / p->item_bytes;

	if (rate == 0 || n > (double)p->total)
		return p->total;
	return n > 0 ? (uint64_t)n : 0;
}

uint64_t
limits_node(const struct problem *p, enum stages_kind kind, size_t rank,
    double T, uint64_t near)
{
	const struct question q = { p, kind, rank, false, T };
	const struct node *node = &p->cluster->node[rank];
	const struct link *l = stages_link(p->cluster, rank);
	uint64_t n;

	switch (kind) {
	case STAGES_SORT:
		n = curve_limit(&node->curve);
		if (p->by_key)
			return n < p->total ? n : p->total;
		if (node->sort_rest > 0)
			return last_in_time(
			    &q, near, n < p->total ? n : p->total);
		n = curve_upto(&node->curve, T, near);
		return n < p->total ? n : p->total;
	case STAGES_EXCHANGE:
		if (p->by_key)
			return p->total;
		return last_in_time(&q, near, p->total / 2);
	case STAGES_SEND:
		near = about(p, l->latency_s, l->receive, T);
		break;
	case STAGES_GATHER:
		near = about(p, l->latency_s, l->send, T);
		n = curve_limit(&node->curve);
		if (p->by_key && n < p->total)
			return last_in_time(&q, near, n);
		break;
	default:
		break;
	}
	return last_in_time(&q, near, p->total);
}

struct stages_load
limits_launcher(const struct problem *p, enum stages_kind kind, double T)
{
	const struct question q = { p, kind, 0, true, T };
	const struct link *l = &p->cluster->launcher.link;
	struct stages_load load = { p->total, p->cluster->n };

	if (kind == STAGES_PIVOTS)
		load.nodes = last_in_time(&q, 0, p->cluster->n);
	else if (kind == STAGES_SEND || kind == STAGES_GATHER)
		load.items = last_in_time(&q,
		    about(p, l->latency_s,
			kind == STAGES_SEND ? l->send : l->receive, T),
		    p->total);
	return load;
}

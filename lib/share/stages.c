#include <math.h>

#include "share/rounds.h"
#include "share/stages.h"

static const char *const names[STAGES] = { [STAGES_START] = "start",
	[STAGES_SEND] = "send",
	[STAGES_SORT] = "sort",
	[STAGES_PIVOTS] = "pivots",
	[STAGES_EXCHANGE] = "exchange",
	[STAGES_MERGE] = "merge",
	[STAGES_GATHER] = "gather" };

const char *
stages_name(enum stages_kind kind)
{
	return names[kind];
}

bool
stages_known(const struct problem *p)
{
	return p->item_bytes > 0 && cluster_linked(p->cluster) &&
	    !cluster_falls(p->cluster, NULL, NULL);
}

/*
 * Returns the time in seconds to transfer n items at a rate in bytes per
 * second. The result is rounded only once, so it never decreases as n grows.
 */
static double
transfer(const struct problem *p, double latency_s, long double n, double rate)
{
	if (n == 0)
		return 0;
	return (double)(latency_s + (rate > 0 ? n * p->item_bytes / rate : 0));
}

/*
 * Returns the link of a node. A node on the launcher's machine uses the
 * launcher's link, unless it has a link of its own.
 */
static const struct link *
link_of(const struct cluster *c, size_t rank)
{
	const struct node *node = &c->node[rank];

	return node->host == NULL && !node->link.known ? &c->launcher.link
						       : &node->link;
}

/* Returns the time to transfer a document, as a part of a longer exchange. */
static double
document(double bytes, double rate)
{
	return rate > 0 ? bytes / rate : 0;
}

/*
 * Returns the time in which a node with n > 0 items runs all steps of the
 * search for the pivots. In each step it gets a document and sends an answer.
 */
static double
pivots_node(const struct problem *p, size_t rank, uint64_t n)
{
	const struct node *node = &p->cluster->node[rank];
	const struct link *l = link_of(p->cluster, rank);
	struct round_step sum;
	struct rounds r;
	double steps, part = (double)n / (double)p->total;

	rounds_of(p->cluster->n, p->total, p->item_bytes, &r);
	steps = (double)rounds_sum(&r, &sum);
	if (node->host == NULL)
		return steps * node->step_s;
	return steps * (node->step_s + 2 * l->latency_s) +
	    document(sum.to_node, l->receive) +
	    document(sum.from_node + part * sum.from_all, l->send);
}

/* Returns the launcher's time for the documents of this many hosts' nodes. */
static double
pivots_launcher(const struct problem *p, size_t nodes)
{
	const struct link *l = &p->cluster->launcher.link;
	struct round_step sum;
	struct rounds r;
	double steps, hosts = (double)nodes;

	if (nodes == 0)
		return 0;
	rounds_of(p->cluster->n, p->total, p->item_bytes, &r);
	steps = (double)rounds_sum(&r, &sum);
	return steps * 2 * l->latency_s +
	    document(hosts * sum.to_node, l->send) +
	    document(hosts * sum.from_node + sum.from_all, l->receive);
}

double
stages_node(
    const struct problem *p, enum stages_kind kind, size_t rank, uint64_t n)
{
	const struct node *node = &p->cluster->node[rank];
	const struct link *l = link_of(p->cluster, rank);
	long double away;

	if (n == 0)
		return 0;
	switch (kind) {
	case STAGES_START:
		return node->host == NULL ? 0 : node->login_s;
	case STAGES_PIVOTS:
		return pivots_node(p, rank, n);
	case STAGES_SEND:
		return node->host == NULL
		    ? 0
		    : transfer(p, l->latency_s, n, l->receive);
	case STAGES_SORT:
		return curve_time(&node->curve, n);
	case STAGES_EXCHANGE:
		/*
		 * In the exchange each node gets one range of the sorted order.
		 * A node keeps its own fraction of its n items and sends the
		 * rest to the others.
		 */
		if (n >= p->total)
			return 0;
		away = (long double)n * (long double)(p->total - n) /
		    (long double)p->total;
		return node->step_s +
		    fmax(transfer(p, l->latency_s, away, l->send),
			transfer(p, l->latency_s, away, l->receive));
	case STAGES_MERGE:
		return (double)(node->step_s +
		    (long double)n * node->merge_s_per_item);
	default:
		return node->host == NULL
		    ? 0
		    : transfer(p, l->latency_s, n, l->send);
	}
}

double
stages_launcher(const struct problem *p, enum stages_kind kind,
    const struct stages_load *load)
{
	const struct link *l = &p->cluster->launcher.link;

	if (kind == STAGES_SEND)
		return transfer(p, l->latency_s, load->items, l->send);
	if (kind == STAGES_GATHER)
		return transfer(p, l->latency_s, load->items, l->receive);
	return kind == STAGES_PIVOTS ? pivots_launcher(p, load->nodes) : 0;
}

struct stages_load
stages_load(const struct problem *p, const uint64_t *n)
{
	struct stages_load load = { 0 };

	for (size_t i = 0; i < p->cluster->n; i++)
		if (p->cluster->node[i].host != NULL && n[i] > 0) {
			load.items += n[i];
			load.nodes++;
		}
	return load;
}

double
stages_time(const struct problem *p, enum stages_kind kind, const uint64_t *n)
{
	struct stages_load load = stages_load(p, n);
	double latest = stages_launcher(p, kind, &load);

	for (size_t i = 0; i < p->cluster->n; i++)
		latest = fmax(latest, stages_node(p, kind, i, n[i]));
	return latest;
}

double
stages_makespan(const struct problem *p, const uint64_t *n)
{
	double sum = 0;

	for (int k = 0; k < STAGES; k++)
		sum += stages_time(p, (enum stages_kind)k, n);
	return sum;
}

double
stages_busy(const struct problem *p, size_t rank, uint64_t n)
{
	double sum = 0;

	for (int k = 0; k < STAGES; k++)
		sum += stages_node(p, (enum stages_kind)k, rank, n);
	return sum;
}

double
stages_alone(const struct problem *p)
{
	const struct curve *c = &p->cluster->launcher.curve;

	if (!curve_known(c) || (c->point == NULL && c->cost == NULL) ||
	    curve_limit(c) < p->total)
		return INFINITY;
	return curve_time(c, p->total);
}

/* The arguments of stages_upto or stages_launcher_upto. */
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
	const struct stages_load load = { .items = n };
	double t = q->launcher ? stages_launcher(q->p, q->kind, &load)
			       : stages_node(q->p, q->kind, q->rank, n);

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
stages_upto(const struct problem *p, enum stages_kind kind, size_t rank,
    double T, uint64_t near)
{
	const struct question q = { p, kind, rank, false, T };
	const struct link *l = link_of(p->cluster, rank);
	uint64_t n;

	switch (kind) {
	case STAGES_SORT:
		n = curve_upto(&p->cluster->node[rank].curve, T, near);
		return n < p->total ? n : p->total;
	case STAGES_EXCHANGE:
		return last_in_time(&q, near, p->total / 2);
	case STAGES_SEND:
		near = about(p, l->latency_s, l->receive, T);
		break;
	case STAGES_GATHER:
		near = about(p, l->latency_s, l->send, T);
		break;
	default:
		break;
	}
	return last_in_time(&q, near, p->total);
}

/* Returns for how many nodes of hosts the launcher has documents in time. */
static size_t
nodes_in_time(const struct problem *p, double T)
{
	size_t lo = 0, hi = p->cluster->n, mid;

	while (lo < hi) {
		mid = hi - (hi - lo) / 2;
		if (pivots_launcher(p, mid) <= T)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

struct stages_load
stages_launcher_upto(const struct problem *p, enum stages_kind kind, double T)
{
	const struct question q = { p, kind, 0, true, T };
	const struct link *l = &p->cluster->launcher.link;
	struct stages_load load = { p->total, p->cluster->n };

	if (kind == STAGES_PIVOTS)
		load.nodes = nodes_in_time(p, T);
	else if (kind == STAGES_SEND || kind == STAGES_GATHER)
		load.items = last_in_time(&q,
		    about(p, l->latency_s,
			kind == STAGES_SEND ? l->send : l->receive, T),
		    p->total);
	return load;
}

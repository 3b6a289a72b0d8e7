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

bool
stages_batched(const struct cluster *c)
{
	bool remote = false;

	for (size_t i = 0; i < c->n; i++) {
		const struct node *node = &c->node[i];

		if (node->batch_s_per_item == 0 ||
		    node->curve.capacity < CURVE_MOST)
			return false;
		remote = remote || node->host != NULL;
	}
	return remote;
}

void
stages_lift(struct cluster *c, double item_bytes)
{
	if (!(item_bytes > 0) || !cluster_linked(c))
		return;
	for (size_t i = 0; i < c->n; i++)
		curve_lift(&c->node[i].curve);
	curve_lift(&c->launcher.curve);
}

/*
 * Returns the time in seconds to transfer n items at a rate in bytes per
 * second, while a machine works on them for `item_s` seconds each. The result
 * is rounded only once, so it never decreases as n grows.
 */
static double
transfer(const struct problem *p, double latency_s, long double n, double rate,
    double item_s)
{
	long double move = rate > 0 ? n * p->item_bytes / rate : 0,
		    work = n * item_s;

	if (n == 0)
		return 0;
	return (double)(latency_s + (move > work ? move : work));
}

const struct link *
stages_link(const struct cluster *c, size_t rank)
{
	const struct node *node = &c->node[rank];

	return node->host == NULL && !node->link.known ? &c->launcher.link
						       : &node->link;
}

/*
 * Returns the seconds to transfer so many bytes at the rate of a link, without
 * latency. Returns 0 if the rate is unknown.
 */
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
	const struct link *l = stages_link(p->cluster, rank);
	struct round_step sum;
	struct rounds r;
	double steps, work, part = (double)n / (double)p->total;

	rounds_of(p->cluster->n, p->total, p->item_bytes, &r);
	steps = (double)rounds_sum(&r, &sum);
	work = steps * node->step_s + sum.candidates * node->candidate_s;
	if (node->host == NULL)
		return work;
	return work + steps * 2 * l->latency_s +
	    document(sum.to_node, l->receive) +
	    document(sum.from_node + part * sum.from_all, l->send);
}

/*
 * Returns how long the launcher takes to exchange the documents of the search
 * for the pivots with `nodes` nodes on remote hosts.
 */
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

/*
 * Returns the time of the exchange. Each node gets one range of the sorted
 * order. A node keeps its own fraction of its n items and sends the rest to the
 * others.
 */
static double
exchange_node(const struct problem *p, size_t rank, uint64_t n)
{
	const struct node *node = &p->cluster->node[rank];
	const struct link *l = stages_link(p->cluster, rank);
	double item_s = node->exchange_s_per_item;
	long double away;

	if (n >= p->total)
		return 0;
	away = (long double)n * (long double)(p->total - n) /
	    (long double)p->total;
	return node->step_s +
	    fmax(transfer(p, l->latency_s, away, l->send, item_s),
		transfer(p, l->latency_s, away, l->receive, item_s));
}

/*
 * Returns whether the node returns its part of the result while it merges.
 * Otherwise it stores its part first.
 */
static bool
returns(const struct node *node)
{
	return node->host != NULL && node->return_s_per_item > 0;
}

/*
 * Returns whether the run does without this stage, because the launcher has
 * divided the items by key.
 */
static bool
is_left_out(const struct problem *p, enum stages_kind kind)
{
	return p->by_key && kind >= STAGES_SORT && kind <= STAGES_MERGE;
}

/* Returns the time, or the other one if it is not known. */
static double
known(double seconds, double other_s)
{
	return seconds > 0 ? seconds : other_s;
}

/*
 * Returns the time before the launcher sends items to a host whose login takes
 * login_s seconds. If the items are dealt in batches, the launcher divides them
 * while it logs in.
 */
static double
begin(const struct problem *p, double login_s)
{
	const struct launcher *l = &p->cluster->launcher;
	double divide_s = p->by_key ? (double)p->total * l->divide_s_per_item
				    : 0;

	if (!p->batches)
		return l->begin_s + divide_s + login_s;
	return known(l->batch_begin_s, l->begin_s) + fmax(divide_s, login_s);
}

/* Returns the time that the launcher needs after the last item of the result.
 */
static double
finish(const struct problem *p)
{
	const struct launcher *l = &p->cluster->launcher;

	return p->batches ? known(l->batch_finish_s, l->finish_s) : l->finish_s;
}

/*
 * Returns the time in which a node sorts its items after the last of them has
 * arrived.
 */
static double
sort_node(const struct node *node, uint64_t n)
{
	return curve_time(&node->curve, n) *
	    (node->host != NULL && node->sort_rest > 0 ? node->sort_rest : 1);
}

/*
 * Returns the time in which a node receives, sorts and returns all its batches.
 * A node of the launcher's machine uses no link.
 */
static double
batches_node(const struct problem *p, size_t rank, uint64_t n)
{
	const struct node *node = &p->cluster->node[rank];
	const struct link *l = stages_link(p->cluster, rank);

	if (node->host == NULL)
		return transfer(p, 0, n, 0, node->batch_s_per_item);
	return fmax(
	    transfer(p, l->latency_s, n, l->receive, node->batch_s_per_item),
	    transfer(p, l->latency_s, n, l->send, 0));
}

double
stages_node(
    const struct problem *p, enum stages_kind kind, size_t rank, uint64_t n)
{
	const struct node *node = &p->cluster->node[rank];
	const struct link *l = stages_link(p->cluster, rank);
	bool remote = node->host != NULL;

	if (n == 0 || is_left_out(p, kind))
		return 0;
	switch (kind) {
	case STAGES_START:
		return begin(p, remote ? node->login_s : 0);
	case STAGES_PIVOTS:
		return pivots_node(p, rank, n);
	case STAGES_SEND:
		if (p->batches)
			return batches_node(p, rank, n);
		return remote ? transfer(p, l->latency_s, n, l->receive,
				    node->arrive_s_per_item)
			      : 0;
	case STAGES_SORT:
		return sort_node(node, n);
	case STAGES_EXCHANGE:
		return exchange_node(p, rank, n);
	case STAGES_MERGE:
		if (returns(node))
			return node->step_s;
		return (double)(node->step_s +
		    (long double)n * node->merge_s_per_item);
	default:
		if (p->batches)
			return finish(p);
		return finish(p) + (p->by_key ? sort_node(node, n) : 0) +
		    (remote ? transfer(p, l->latency_s, n, l->send,
				  node->return_s_per_item)
			    : 0);
	}
}

double
stages_launcher(const struct problem *p, enum stages_kind kind,
    const struct stages_load *load)
{
	const struct launcher *launcher = &p->cluster->launcher;
	const struct link *l = &launcher->link;
	double receive = transfer(p, l->latency_s, load->items, l->receive, 0),
	       send;

	if (is_left_out(p, kind))
		return 0;
	switch (kind) {
	case STAGES_START:
		return begin(p, 0);
	case STAGES_SEND:
		send = transfer(p, l->latency_s, load->items, l->send, 0);
		return p->batches ? fmax(send, receive) : send;
	case STAGES_PIVOTS:
		return pivots_launcher(p, load->nodes);
	case STAGES_GATHER:
		return finish(p) + (p->batches ? 0 : receive);
	default:
		return 0;
	}
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

#include <math.h>
#include <stddef.h>

#include "share/fit.h"
#include "share/rounds.h"

/*
 * If a transfer takes longer than its slowest node needs, by more than this
 * factor, the launcher limits the transfer. If the two times are closer, they
 * do not tell whether the launcher or the node is slower.
 */
#define LAUNCHER_SLOWER 1.05
/* A node below this fraction of the fastest node's rate is limited by itself.
 */
#define LIMITED_BY_ITSELF 0.8
/* The least value of node.sort_rest, where 0 means that it is not given. */
#define LEAST_REST 1e-6

struct fit {
	struct cluster *c;
	struct problem p;
	const uint64_t *n;
};

/* Returns the time per item, or 0 if the time tells nothing about it. */
static double
per_item(double seconds, double constant_s, uint64_t n)
{
	return n > 0 && seconds >= FIT_LEAST_S && seconds > constant_s
	    ? (seconds - constant_s) / (double)n
	    : 0;
}

/* A transfer between the launcher and all hosts. */
struct moving {
	enum stages_kind kind;
	/* offsets of the times in struct fit_node */
	size_t alone, together;
};

static const struct moving sending = { STAGES_SEND,
	offsetof(struct fit_node, send_alone),
	offsetof(struct fit_node, send_together) };
static const struct moving gathering = { STAGES_GATHER,
	offsetof(struct fit_node, gather_alone),
	offsetof(struct fit_node, gather_together) };

static double
time_of(const struct fit_node *t, size_t at)
{
	return *(const double *)((const char *)t + at);
}

/* Returns the items per second that a host moved, or 0. */
static double
rate_together(const struct fit *f, const struct fit_times *t,
    const struct moving *m, size_t rank)
{
	double seconds = time_of(&t->node[rank], m->together);

	return f->c->node[rank].host != NULL && seconds >= FIT_LEAST_S
	    ? (double)f->n[rank] / seconds
	    : 0;
}

/*
 * Sets the time per item of each host in a transfer. `out` is the offset of
 * this time in struct node. Returns the launcher's rate in bytes per second.
 * `known` is the rate that was known before. It is returned if the times tell
 * nothing about the rate, and is a lower limit if a node can have limited the
 * transfer.
 */
static double
fit_moving(struct fit *f, const struct fit_times *t, const struct moving *m,
    size_t out, double known)
{
	double most = 0, until_s = 0, slowest_s = 0, items = 0;

	for (size_t i = 0; i < f->c->n; i++)
		most = fmax(most, rate_together(f, t, m, i));
	for (size_t i = 0; i < f->c->n; i++) {
		struct node *node = &f->c->node[i];
		double *item_s = (double *)((char *)node + out);
		double rate = rate_together(f, t, m, i), constant_s;
		bool itself = rate < LIMITED_BY_ITSELF * most;

		*item_s = 0;
		if (node->host == NULL || f->n[i] == 0)
			continue;
		constant_s = node->link.latency_s +
		    (m->kind == STAGES_GATHER ? node->step_s : 0);
		*item_s = per_item(
		    time_of(&t->node[i], itself ? m->together : m->alone),
		    constant_s, f->n[i]);
		if (rate == 0 || itself)
			continue;
		until_s = fmax(until_s, time_of(&t->node[i], m->together));
		slowest_s = fmax(
		    slowest_s, stages_node(&f->p, m->kind, i, f->n[i]));
	}
	if (until_s == 0)
		return known;
	/* What all hosts had moved when the last of the others had ended. */
	for (size_t i = 0; i < f->c->n; i++)
		items += fmin(
		    (double)f->n[i], rate_together(f, t, m, i) * until_s);
	if (m->kind == STAGES_GATHER)
		slowest_s -= f->c->launcher.finish_s;
	most = items * f->p.item_bytes / until_s;
	return until_s > slowest_s * LAUNCHER_SLOWER ? most : fmax(most, known);
}

static void
fit_rest(struct fit *f, size_t rank, const struct fit_node *t)
{
	struct node *node = &f->c->node[rank];
	double all = curve_time(&node->curve, f->n[rank]);

	if (node->host != NULL && t->rest > 0 && all >= FIT_LEAST_S)
		node->sort_rest = fmin(fmax(t->rest / all, LEAST_REST), 1);
}

static void
fit_node(struct fit *f, size_t rank, const struct fit_node *t)
{
	struct node *node = &f->c->node[rank];

	node->merge_s_per_item = per_item(t->merge, node->step_s, f->n[rank]);
	fit_rest(f, rank, t);
}

/* Returns the time of the slowest node in a stage. */
static double
slowest(const struct fit *f, enum stages_kind kind)
{
	double latest = 0;

	for (size_t i = 0; i < f->c->n; i++)
		latest = fmax(latest, stages_node(&f->p, kind, i, f->n[i]));
	return latest;
}

/*
 * All nodes end the exchange at the same time, so it does not tell which of
 * them is the slowest. Each gets the same multiple of the time on its link.
 */
static void
fit_exchange(struct fit *f, double seconds)
{
	double factor = INFINITY;

	for (size_t i = 0; i < f->c->n; i++)
		f->c->node[i].exchange_s_per_item = 0;
	for (size_t i = 0; i < f->c->n; i++) {
		const struct node *node = &f->c->node[i];
		double constant_s = node->step_s +
		    stages_link(f->c, i)->latency_s;
		double moved = stages_node(&f->p, STAGES_EXCHANGE, i, f->n[i]) -
		    constant_s;

		if (f->n[i] > 0 && moved > 0)
			factor = fmin(factor, (seconds - constant_s) / moved);
	}
	if (!(factor > 1) || isinf(factor))
		return;
	for (size_t i = 0; i < f->c->n; i++) {
		const struct link *l = stages_link(f->c, i);
		double rate = l->send > 0 && l->receive > 0
		    ? fmin(l->send, l->receive)
		    : fmax(l->send, l->receive);

		if (rate > 0)
			f->c->node[i].exchange_s_per_item = factor *
			    f->p.item_bytes / rate;
	}
}

static void
fit_pivots(struct fit *f, double seconds)
{
	struct round_step sum;
	struct rounds r;
	double missing;

	for (size_t i = 0; i < f->c->n; i++)
		f->c->node[i].candidate_s = 0;
	rounds_of(f->c->n, f->p.total, f->p.item_bytes, &r);
	rounds_sum(&r, &sum);
	missing = seconds - slowest(f, STAGES_PIVOTS);
	if (sum.candidates == 0 || missing <= 0)
		return;
	for (size_t i = 0; i < f->c->n; i++)
		f->c->node[i].candidate_s = missing / sum.candidates;
}

static struct fit
fit_of(struct cluster *c, double item_bytes, uint64_t total, const uint64_t *n)
{
	return (struct fit){ .c = c,
		.p = { .cluster = c, .total = total, .item_bytes = item_bytes },
		.n = n };
}

/* Fits the stages between the sorts and the return of the result. */
static void
fit_middle(struct fit *f, const struct fit_times *t)
{
	if (t->exchange >= FIT_LEAST_S)
		fit_exchange(f, t->exchange);
	if (t->pivots > 0)
		fit_pivots(f, t->pivots);
}

void
fit_stages(struct cluster *c, double item_bytes, uint64_t total,
    const uint64_t *n, const struct fit_times *t)
{
	struct link *l = &c->launcher.link;
	struct fit f = fit_of(c, item_bytes, total, n);

	for (size_t i = 0; i < c->n; i++)
		fit_node(&f, i, &t->node[i]);
	l->send = fit_moving(
	    &f, t, &sending, offsetof(struct node, arrive_s_per_item), l->send);
	l->receive = fit_moving(&f, t, &gathering,
	    offsetof(struct node, return_s_per_item), l->receive);
	fit_middle(&f, t);
}

/*
 * Returns the launcher's rate in a transfer of all items that took so many
 * seconds. `known` is the rate that was known before. If the time per item of a
 * host predicts a longer transfer, lowers it. `at` is the offset of this time
 * in struct node.
 *
 * If only one host took part, either the host or the launcher has limited the
 * transfer. So the host's time per item becomes that of the transfer, and the
 * launcher keeps the known rate if that is higher. Otherwise a run on one host
 * would seem to prove that no number of hosts is faster.
 */
static double
fit_whole(struct fit *f, double seconds, size_t at, double known)
{
	struct stages_load load = stages_load(&f->p, f->n);
	double rate;

	if (seconds < FIT_LEAST_S || load.items == 0)
		return known;
	rate = (double)load.items * f->p.item_bytes / seconds;
	for (size_t i = 0; i < f->c->n; i++) {
		struct node *node = &f->c->node[i];
		double *item_s = (double *)((char *)node + at);
		double most = per_item(seconds, node->link.latency_s, f->n[i]);

		if (node->host != NULL && most > 0 &&
		    (*item_s > most || load.nodes == 1))
			*item_s = most;
	}
	return load.nodes == 1 ? fmax(rate, known) : rate;
}

void
fit_again(struct cluster *c, double item_bytes, uint64_t total,
    const uint64_t *n, const struct fit_times *t)
{
	struct link *l = &c->launcher.link;
	struct fit f = fit_of(c, item_bytes, total, n);

	for (size_t i = 0; i < c->n; i++)
		fit_rest(&f, i, &t->node[i]);
	l->send = fit_whole(
	    &f, t->send, offsetof(struct node, arrive_s_per_item), l->send);
	l->receive = fit_whole(&f, t->gather,
	    offsetof(struct node, return_s_per_item), l->receive);
	fit_middle(&f, t);
}

/* Returns the seconds of a run from its first to its last record. */
static double
seconds_of(const struct fit_run *r, size_t nodes)
{
	double rest = 0;

	for (size_t i = 0; i < nodes; i++)
		rest = fmax(rest, r->times.node[i].rest);
	return r->times.send + rest + r->times.pivots + r->times.exchange +
	    r->times.gather;
}

static bool
same_nodes(const struct fit_run *a, const struct fit_run *b, size_t nodes)
{
	for (size_t i = 0; i < nodes; i++)
		if ((a->n[i] > 0) != (b->n[i] > 0))
			return false;
	return true;
}

/*
 * Raises the times of the nodes that the slower run has used and the fastest
 * run has not. A smaller share of such a node is not expected to shorten the
 * run in proportion to the share. So most of its times are also multiplied by
 * the ratio of the two runs.
 */
static void
blame(struct cluster *c, const struct fit_run *slow, const struct fit_run *best)
{
	struct round_step sum;
	struct rounds r;
	double factor = fmax(
	    1, seconds_of(slow, c->n) / seconds_of(best, c->n));

	for (size_t i = 0; i < c->n; i++) {
		struct node *node = &c->node[i];
		double n = (double)slow->n[i];
		/* what the node sent to the other nodes in the exchange */
		double away = n * (1 - n / (double)slow->total);

		if (slow->n[i] == 0 || best->n[i] > 0)
			continue;
		if (away > 0)
			node->exchange_s_per_item = fmax(
			    node->exchange_s_per_item,
			    factor * slow->times.exchange / away);
		rounds_of(c->n, slow->total, 1, &r);
		rounds_sum(&r, &sum);
		if (sum.candidates > 0)
			node->candidate_s = fmax(node->candidate_s,
			    slow->times.pivots / sum.candidates);
		if (node->host == NULL)
			continue;
		node->arrive_s_per_item = fmax(
		    node->arrive_s_per_item, factor * slow->times.send / n);
		node->return_s_per_item = fmax(
		    node->return_s_per_item, factor * slow->times.gather / n);
	}
}

void
fit_runs(struct cluster *c, double item_bytes, const struct fit_run *run,
    size_t runs)
{
	const struct fit_run *best = &run[0];
	struct fit_times mean;
	double same = 0;

	for (size_t i = 1; i < runs; i++)
		if (seconds_of(&run[i], c->n) < seconds_of(best, c->n))
			best = &run[i];
	mean = (struct fit_times){ .node = best->times.node };
	for (size_t i = 0; i < runs; i++) {
		if (!same_nodes(&run[i], best, c->n))
			continue;
		mean.send += run[i].times.send;
		mean.gather += run[i].times.gather;
		mean.pivots += run[i].times.pivots;
		mean.exchange += run[i].times.exchange;
		same++;
	}
	mean.send /= same;
	mean.gather /= same;
	mean.pivots /= same;
	mean.exchange /= same;
	fit_again(c, item_bytes, best->total, best->n, &mean);
	for (size_t i = 0; i < runs; i++)
		blame(c, &run[i], best);
}

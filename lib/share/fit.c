#include <math.h>

#include "share/fit.h"
#include "share/rounds.h"

/*
 * The launcher limits a transfer if it takes longer than its slowest node, by
 * more than this fraction. Times that are closer do not tell who is slower.
 */
#define LAUNCHER_SLOWER 1.05
/* A sort that ends with its last item still has a rest above 0. */
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

static void
fit_node(struct fit *f, size_t rank, const struct fit_node *t)
{
	struct node *node = &f->c->node[rank];
	double latency_s = node->link.latency_s, all;
	uint64_t n = f->n[rank];

	node->merge_s_per_item = per_item(t->merge, node->step_s, n);
	if (node->host == NULL || n == 0)
		return;
	node->arrive_s_per_item = per_item(t->send_alone, latency_s, n);
	node->return_s_per_item = per_item(
	    t->gather_alone, latency_s + node->step_s, n);
	all = curve_time(&node->curve, n);
	if (t->rest > 0 && all >= FIT_LEAST_S)
		node->sort_rest = fmin(fmax(t->rest / all, LEAST_REST), 1);
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
 * Returns the launcher's rate in bytes per second, from the time in which it
 * moved the items of all hosts. If a node was slower than the launcher, its
 * rate is not lower than the known one.
 */
static double
rate_of(
    const struct fit *f, enum stages_kind kind, double seconds, double known)
{
	const struct launcher *l = &f->c->launcher;
	struct stages_load load = stages_load(&f->p, f->n);
	double net_s = seconds - l->link.latency_s, rate;
	double nodes_s = slowest(f, kind) -
	    (kind == STAGES_GATHER ? l->finish_s : 0);

	if (load.items == 0 || net_s <= 0)
		return known;
	rate = (double)load.items * f->p.item_bytes / net_s;
	return seconds > nodes_s * LAUNCHER_SLOWER ? rate : fmax(rate, known);
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

void
fit_stages(struct cluster *c, double item_bytes, uint64_t total,
    const uint64_t *n, const struct fit_times *t)
{
	struct link *l = &c->launcher.link;
	struct fit f = { .c = c,
		.p = { .cluster = c, .total = total, .item_bytes = item_bytes },
		.n = n };

	for (size_t i = 0; i < c->n; i++)
		fit_node(&f, i, &t->node[i]);
	if (t->send >= FIT_LEAST_S)
		l->send = rate_of(&f, STAGES_SEND, t->send, l->send);
	if (t->gather >= FIT_LEAST_S)
		l->receive = rate_of(&f, STAGES_GATHER, t->gather, l->receive);
	if (t->exchange >= FIT_LEAST_S)
		fit_exchange(&f, t->exchange);
	if (t->pivots > 0)
		fit_pivots(&f, t->pivots);
}

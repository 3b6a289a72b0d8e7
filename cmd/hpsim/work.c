#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc/cluster.h"
#include "doc/plan.h"
#include "share/answer.h"
#include "share/stages.h"
#include "work.h"

/*
 * Returns whether the plan includes transfers.  hprun plans them only if it
 * sends the input, gathers the results, and sorts before the exchange.
 */
static bool
plans_transfers(const struct opts *o)
{
	return !o->in_place && !o->leave && demand_sorts_first(o->algorithm);
}

static int
solve(const struct opts *o, struct work *w, struct hp_err *e)
{
	struct problem problem = { .cluster = &w->cluster, .total = o->n };
	struct answer a = { 0 };
	int rc;

	w->total = o->n;
	if (plans_transfers(o))
		problem.item_bytes = o->item_bytes;
	stages_lift(&w->cluster, problem.item_bytes);
	if ((rc = share_solve(&problem, o->method, &a, e)) == 0)
		memcpy(w->n, a.n, w->cluster.n * sizeof *w->n);
	answer_fini(&a);
	return rc;
}

static int
take_shares(const struct cluster *c, const struct plan *p, struct work *w,
    struct hp_err *e)
{
	if (p->nodes != c->n)
		return hp_fail(e, HP_INPUT,
		    "the plan has %zu nodes, the cluster %zu", p->nodes, c->n);
	for (size_t i = 0; i < c->n; i++) {
		if (strcmp(p->share[i].node, c->node[i].name) != 0)
			return hp_fail(e, HP_INPUT,
			    "the plan has node '%.255s' as rank %zu, not "
			    "'%.255s'",
			    p->share[i].node, i, c->node[i].name);
		if (p->share[i].n > curve_limit(&c->node[i].curve))
			return hp_fail(e, HP_INPUT,
			    "the plan gives node '%.255s' more items than it "
			    "can take",
			    c->node[i].name);
		w->n[i] = p->share[i].n;
	}
	w->total = p->n;
	return 0;
}

static int
read_plan(const struct opts *o, struct work *w, struct hp_err *e)
{
	struct plan p = { 0 };
	int rc = doc_plan_read(o->plan, &p, e);

	if (rc == 0 && w->item_bytes == 0)
		w->item_bytes = p.item_bytes;
	if (rc == 0 && w->item_bytes == 0)
		rc = hp_fail(e, HP_USAGE,
		    "%.256s: has no bytes_per_item: give --bytes-per-item",
		    o->plan);
	if (rc == 0)
		rc = take_shares(&w->cluster, &p, w, e);
	plan_fini(&p);
	return rc;
}

/* SimGrid has the size of a message as a long, and times must be finite. */
static int
check(const struct work *w, struct hp_err *e)
{
	if ((double)w->total * w->item_bytes > 1e18)
		return hp_fail(e, HP_USAGE, "more than 1e18 bytes");
	for (size_t i = 0; i < w->cluster.n; i++)
		if (!isfinite(curve_time(&w->cluster.node[i].curve, w->n[i])))
			return hp_fail(e, HP_INPUT,
			    "node '%.255s': the time of its share is not "
			    "finite",
			    w->cluster.node[i].name);
	return 0;
}

int
work_read(const struct opts *o, struct work *w, struct hp_err *e)
{
	w->item_bytes = o->item_bytes;
	if (doc_cluster_read(o->cluster, &w->cluster, e) == -1 ||
	    cluster_flat(&w->cluster, e) == -1 ||
	    cost_parse(o->cost != NULL ? o->cost : COST_DEFAULT, &w->cost, e) ==
		-1)
		return -1;
	cluster_set_cost(&w->cluster, &w->cost);
	if ((w->n = calloc(w->cluster.n, sizeof *w->n)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "shares");
	if ((o->plan != NULL ? read_plan(o, w, e) : solve(o, w, e)) == -1)
		return -1;
	return check(w, e);
}

void
work_fini(struct work *w)
{
	free(w->n);
	cluster_fini(&w->cluster);
	cost_fini(&w->cost);
}

bool
work_at_launcher(const struct work *w, size_t rank)
{
	const struct node *node = &w->cluster.node[rank];

	return node->host == NULL && !node->link.known;
}

const struct link *
work_link(const struct work *w, size_t rank)
{
	return work_at_launcher(w, rank) ? &w->cluster.launcher.link
					 : &w->cluster.node[rank].link;
}

#include <stdlib.h>

#include "share/boxes.h"
#include "share/closed.h"
#include "share/dp.h"
#include "share/fill.h"
#include "share/learn.h"
#include "share/optimum.h"
#include "share/search.h"
#include "share/shape.h"

/*
 * Fills `view` with a copy of the cluster whose times follow from the nodes'
 * speeds, not from measured points. The copy points to the names and curves of
 * the cluster. If no node has points, the copy also shares the node array,
 * which may have a million nodes.
 */
static int
by_speed(const struct cluster *c, struct cluster *view, struct hp_err *e)
{
	bool measured = false;

	for (size_t i = 0; i < c->n; i++) {
		measured = measured || c->node[i].curve.point != NULL;
		if (!(c->node[i].curve.speed > 0))
			return hp_fail(e, HP_USAGE, "node '%s' has no speed",
			    c->node[i].name);
	}
	*view = (struct cluster){ .n = c->n, .node = c->node };
	if (!measured)
		return 0;
	view->node = reallocarray(NULL, c->n, sizeof *view->node);
	if (view->node == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	for (size_t i = 0; i < c->n; i++) {
		view->node[i] = c->node[i];
		view->node[i].curve.point = NULL;
		view->node[i].curve.capacity = curve_limit(&c->node[i].curve);
	}
	return 0;
}

static void
view_fini(struct cluster *view, const struct cluster *c)
{
	if (view->node != c->node)
		free(view->node);
}

/*
 * Divides N items at the cost n^b among nodes with the speeds k_j. The finish
 * time T is given by T^(1/b) = N / sum_j k_j^(1/b) (Cérin, Dubacq and Roch
 * 2006, Theorem 1). Each item that rounding leaves over goes to the node that
 * finishes it first. In the paper it goes to the node with the smallest (n_i +
 * 1)/k_i, but only for b = 1 is that the same node.
 */
int
optimum_power(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	const struct cost *cost = c->node[0].curve.cost;
	double b = cost->kind == COST_POWER ? cost->exponent : 1, T;
	double *k = reallocarray(NULL, c->n, sizeof *k);
	struct cluster view;
	int rc;

	if (k == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	for (size_t i = 0; i < c->n; i++) {
		k[i] = c->node[i].curve.speed;
		d->n[i] = 0;
	}
	if ((rc = by_speed(c, &view, e)) == 0) {
		T = closed_power(k, c->n, (double)p->total, b, k);
		rc = share_level(&view, p->total, T, d->n, e);
		view_fini(&view, c);
	}
	free(k);
	return rc;
}

/*
 * Uses section 3.2 of Cérin, Dubacq and Roch 2006. By the time T, a node of
 * speed k finishes T k / W(T k) items at the cost n log n, where W is the
 * Lambert function. So T is the time at which these numbers add up to N.
 */
int
optimum_nlogn(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	struct cluster view;
	int rc;

	if (by_speed(c, &view, e) == -1)
		return -1;
	rc = share_exact(&view, p->total, d->n, &d->steps, e);
	view_fini(&view, c);
	return rc;
}

int
optimum_exact(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	size_t rank, i;

	if (cluster_falls(c, &rank, &i))
		return hp_fail(e, HP_USAGE,
		    "node '%s' needs less time at points[%zu] than at "
		    "points[%zu]; use method dp",
		    c->node[rank].name, i, i - 1);
	return share_exact(c, p->total, d->n, &d->steps, e);
}

/*
 * Uses Algorithm 1 of Lastovetsky and Reddy 2007. Every node must have measured
 * points.
 */
int
optimum_fpm(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;

	for (size_t i = 0; i < c->n; i++)
		if (c->node[i].curve.point == NULL)
			return hp_fail(e, HP_USAGE,
			    "the method needs points, and node '%s' has none",
			    c->node[i].name);
	return optimum_exact(p, d, e);
}

static double
time_of(const void *context, size_t i, uint64_t x)
{
	const struct cluster *c = context;

	return curve_time(&c->node[i].curve, x);
}

/*
 * Divides by dynamic programming over a table of all sizes (Cérin, Dubacq and
 * Roch 2006, section 4), which is exact for times of any shape. The table takes
 * p total^2 steps. Unless the user asks for blocks, the search by time of
 * shape.h finds the same optimum much faster. The table is then used only if
 * the times rise and fall so often that the search gives up.
 */
int
optimum_dp(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	uint64_t block = p->block > 0 ? p->block : 1;
	bool feasible = dp_feasible(c->n, p->total, block);
	struct hp_err why = { 0 };
	double makespan;

	if (p->block == 0) {
		if (share_shape(c, p->total, d->n, &why) == 0)
			return 0;
		if (!feasible) {
			*e = why;
			return -1;
		}
	}
	if (feasible)
		return dp_divide(
		    time_of, c, c->n, p->total, block, d->n, &makespan, e);
	return hp_fail(e, HP_USAGE,
	    "%ju items in blocks of %ju are too many for the table",
	    (uintmax_t)p->total, (uintmax_t)p->block);
}

/*
 * Copies the cluster to `view`, but with computed times instead of measured
 * ones. A cost function is learned from the measurements of all nodes. A node's
 * time is cost(n) divided by its speed. The copy has its own node array. All
 * other memory belongs to the original cluster.
 */
static int
by_learning(const struct cluster *c, struct cost *cost, struct cluster *view,
    struct hp_err *e)
{
	double *k = reallocarray(NULL, c->n, sizeof *k);
	int rc = -1;

	*view = (struct cluster){ .n = c->n };
	view->node = reallocarray(NULL, c->n, sizeof *view->node);
	if (k == NULL || view->node == NULL)
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	else
		rc = learn_cost(c, MERGE_MEAN, k, cost, e);
	for (size_t i = 0; i < c->n && rc == 0; i++) {
		struct curve *v = &view->node[i].curve;

		view->node[i] = c->node[i];
		v->capacity = curve_limit(&c->node[i].curve);
		v->point = NULL;
		v->speed = k[i];
		v->cost = cost;
	}
	free(k);
	return rc;
}

/* Cérin, Dubacq and Roch 2006, section 3.3. */
int
optimum_learned(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	struct cost cost = { 0 };
	struct cluster view;
	bool measured = false;
	int rc;

	if (c->node[0].curve.cost->kind == COST_LEARNED)
		return optimum_exact(p, d, e);
	for (size_t i = 0; i < c->n; i++)
		measured = measured || c->node[i].curve.point != NULL;
	if (!measured)
		return hp_fail(e, HP_USAGE, "no node has points to learn from");
	rc = by_learning(c, &cost, &view, e);
	if (rc == 0)
		rc = share_exact(&view, p->total, d->n, &d->steps, e);
	free(view.node);
	cost_fini(&cost);
	return rc;
}

int
optimum_stages(const struct problem *p, struct division *d, struct hp_err *e)
{
	if (!stages_known(p))
		return hp_fail(e, HP_USAGE,
		    "the method needs links, times that rise, and the size of "
		    "an item");
	return boxes_solve(p, d->n, &d->bound, e);
}

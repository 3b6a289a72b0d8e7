#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost/rises.h"
#include "share/answer.h"
#include "share/contiguous.h"
#include "share/fill.h"
#include "share/models.h"
#include "share/search.h"
#include "share/shape.h"
#include "share/staged.h"
#include "share/stages.h"

/*
 * Proves how near to the optimum a plan is. If some time decreases when the
 * number of items grows, a slower method of proof is necessary (shape.h).
 */
static int
certify(const struct problem *p, const uint64_t *n, struct certificate *v,
    struct hp_err *e)
{
	const struct cluster *c = p->cluster;

	if (cluster_falls(c, NULL, NULL))
		return share_shape_certify(c, p->total, n, v, e);
	share_certify(c, p->total, n, v);
	return 0;
}

/* Computes an optimal plan and its proof. */
static int
prove_best(const struct problem *p, struct certificate *v, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	uint64_t *n = reallocarray(NULL, c->n, sizeof *n);
	int rc;

	if (n == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	if (cluster_falls(c, NULL, NULL))
		rc = share_shape(c, p->total, n, e);
	else
		rc = share_exact(c, p->total, n, NULL, e);
	if (rc == 0)
		rc = certify(p, n, v, e);
	free(n);
	return rc;
}

int
share_bound(const struct problem *p, double *bound, struct hp_err *e)
{
	struct certificate v;
	int rc = prove_best(p, &v, e);

	if (rc == 0)
		*bound = v.makespan;
	return rc;
}

/*
 * If it is unknown whether the cost function always increases, evaluates it
 * near the number of items of each node. Fails if it decreases there.
 */
static int
check_cuts(const struct problem *p, const struct answer *a, struct hp_err *e)
{
	for (size_t i = 0; i < p->cluster->n && a->unproven; i++) {
		const struct curve *v = &p->cluster->node[i].curve;

		if (v->point == NULL &&
		    cost_check_at(v->cost, (double)a->n[i], e) == -1)
			return -1;
	}
	return 0;
}

/*
 * Proves how near to the optimum the shares of the answer are. `bound` is a
 * proven lower bound of the makespan of all plans, or 0.
 */
static int
prove_with_bound(
    const struct problem *p, double bound, struct answer *a, struct hp_err *e)
{
	struct certificate best;

	const struct certificate *proof = &a->proof;

	if (check_cuts(p, a, e) == -1 || certify(p, a->n, &a->proof, e) == -1)
		return -1;
	if (!isfinite(proof->makespan))
		return hp_fail(e, HP_NOSHARE,
		    "node '%s' would never finish %ju items",
		    p->cluster->node[proof->last].name,
		    (uintmax_t)a->n[proof->last]);
	if (stages_known(p))
		return staged_prove(p, bound, a, e);
	a->bound = a->proof.makespan;
	if (a->proof.optimal && !a->unproven)
		return 0;
	if (prove_best(p, &best, e) == -1)
		return -1;
	/*
	 * Rounding can make the computed cost decrease by its last bits when n
	 * grows. So the proof may fail for one optimal plan and succeed for
	 * another one with the same makespan. If one of them is proven optimal,
	 * both count as optimal.
	 */
	a->proof.optimal = !a->unproven && best.optimal &&
	    a->proof.makespan <= best.makespan;
	if (a->unproven)
		a->proof.unique = false;
	if (best.makespan < a->bound)
		a->bound = best.makespan;
	return 0;
}

int
share_solve(
    const struct problem *p, enum method m, struct answer *a, struct hp_err *e)
{
	struct division d = { 0 };
	const struct cluster *c = p->cluster;

	*a = (struct answer){ .method = m };
	if (models_check(p, &a->unproven, e) == -1)
		return -1;
	if (m == METHOD_AUTO)
		a->method = method_richest(p);
	if ((a->n = reallocarray(NULL, c->n, sizeof *a->n)) == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	d.n = a->n;
	if (method_divide(a->method, p, &d, e) == -1 ||
	    prove_with_bound(p, d.bound, a, e) == -1) {
		answer_fini(a);
		return -1;
	}
	a->clamped = d.clamped;
	a->steps = d.steps;
	return 0;
}

/*
 * Sets the total weight of each part, and the makespan. The division was found
 * by an exact method, so its makespan is also the lower bound.
 */
static void
weigh(const struct cluster *c, const struct prefix *sum, struct answer *a)
{
	uint64_t at = 0;
	double t;

	for (size_t i = 0; i < c->n; i++) {
		a->weight[i] = prefix_between(sum[at], sum[at + a->n[i]]);
		at += a->n[i];
		t = contiguous_time(&c->node[i].curve, a->weight[i]);
		if (t > a->proof.makespan) {
			a->proof.makespan = t;
			a->proof.last = i;
		}
	}
	a->bound = a->proof.makespan;
	a->proof.optimal = !a->unproven;
	a->proof.unique = a->proof.unique && !a->unproven;
}

int
share_solve_weights(const struct problem *p, const struct prefix *sum,
    struct answer *a, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	struct problem all = { .cluster = c,
		.total = (uint64_t)ceil(sum[p->total].sum) };
	size_t rank, i;

	*a = (struct answer){ .method = METHOD_EXACT };
	if (share_capacity(c) < all.total)
		return hp_fail(e, HP_NOSHARE,
		    "a total weight of %ju: the nodes together can take %ju",
		    (uintmax_t)all.total, (uintmax_t)share_capacity(c));
	if (models_check(&all, &a->unproven, e) == -1)
		return -1;
	if (cluster_falls(c, &rank, &i))
		return hp_fail(e, HP_USAGE,
		    "--weights: node '%.255s' needs less time at points[%zu] "
		    "than at points[%zu]",
		    c->node[rank].name, i, i - 1);
	a->n = reallocarray(NULL, c->n, sizeof *a->n);
	a->weight = reallocarray(NULL, c->n, sizeof *a->weight);
	if (a->n == NULL || a->weight == NULL) {
		answer_fini(a);
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	}
	if (share_contiguous(c, sum, p->total, a->n, &a->proof.unique, e) ==
	    -1) {
		answer_fini(a);
		return -1;
	}
	weigh(c, sum, a);
	return 0;
}

static int
check_shares(const struct problem *p, const struct plan *plan, struct hp_err *e)
{
	const struct cluster *c = p->cluster;

	if (plan->nodes != c->n)
		return hp_fail(e, HP_NO, "the plan is for %zu nodes, not %zu",
		    plan->nodes, c->n);
	if (plan->n != p->total)
		return hp_fail(e, HP_NO, "the plan is for %ju items, not %ju",
		    (uintmax_t)plan->n, (uintmax_t)p->total);
	for (size_t i = 0; i < c->n; i++) {
		uint64_t limit = curve_limit(&c->node[i].curve);

		if (plan->share[i].n > limit)
			return hp_fail(e, HP_NO,
			    "node '%s' gets %ju items and can take %ju",
			    c->node[i].name, (uintmax_t)plan->share[i].n,
			    (uintmax_t)limit);
	}
	return 0;
}

int
share_check(const struct problem *p, const struct plan *plan, struct answer *a,
    struct hp_err *e)
{
	*a = (struct answer){ .method = METHOD_AUTO };
	if (models_check(p, &a->unproven, e) == -1 ||
	    check_shares(p, plan, e) == -1)
		return -1;
	a->n = reallocarray(NULL, p->cluster->n, sizeof *a->n);
	if (a->n == NULL)
		return hp_fail(
		    e, HP_NOMEM, "plan for %zu nodes", p->cluster->n);
	for (size_t i = 0; i < p->cluster->n; i++)
		a->n[i] = plan->share[i].n;
	if (prove_with_bound(p, 0, a, e) == -1) {
		answer_fini(a);
		return -1;
	}
	return 0;
}

char *
answer_cost(const struct cluster *c, const struct cost *cost)
{
	size_t measured = 0;
	char *text;

	for (size_t i = 0; i < c->n; i++)
		measured += c->node[i].curve.point != NULL;
	if (measured == c->n)
		return strdup("points");
	if (asprintf(&text, "%s%s", measured > 0 ? "points, " : "",
		cost->text) == -1)
		return NULL;
	return text;
}

int
answer_plan(const struct cluster *c, const struct answer *a, const char *method,
    struct plan *p, struct hp_err *e)
{
	*p = (struct plan){ .nodes = c->n };
	for (size_t i = 0; i < c->n; i++)
		p->n += a->n[i];
	p->method = strdup(method);
	p->cost = answer_cost(c, c->node[0].curve.cost);
	if (p->method == NULL || p->cost == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	p->makespan = a->proof.makespan;
	p->bound = a->bound;
	p->optimal = a->proof.optimal;
	p->unique = a->proof.unique;
	if (a->staged != NULL && isfinite(stages_alone(a->staged)))
		p->alone = stages_alone(a->staged);
	p->weighted = a->weight != NULL;
	for (size_t i = 0; p->weighted && i < c->n; i++)
		p->weight += a->weight[i];
	return 0;
}

void
answer_share(const struct cluster *c, const struct answer *a, size_t rank,
    struct share *s)
{
	const struct node *node = &c->node[rank];
	uint64_t n = a->n[rank];

	*s = (struct share){ .node = node->name,
		.n = n,
		.offset = s->offset + s->n,
		.seconds = curve_time(&node->curve, n),
		.extrapolated = curve_extrapolates(&node->curve, n) };
	if (a->staged != NULL)
		s->seconds = stages_busy(a->staged, rank, n);
	if (a->weight == NULL)
		return;
	s->weighted = true;
	s->weight = a->weight[rank];
	s->seconds = contiguous_time(&node->curve, s->weight);
	s->extrapolated = curve_extrapolates(
	    &node->curve, (uint64_t)ceil(s->weight));
}

void
answer_fini(struct answer *a)
{
	free(a->n);
	free(a->weight);
	*a = (struct answer){ 0 };
}

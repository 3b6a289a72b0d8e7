#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/answer.h"
#include "share/fill.h"
#include "share/search.h"
#include "share/shape.h"

static int
check_models(const struct problem *p, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	uint64_t capacity = share_capacity(c);

	for (size_t i = 0; i < c->n; i++)
		if (!curve_known(&c->node[i].curve))
			return hp_fail(e, HP_USAGE,
			    "node '%s' has neither speed nor points",
			    c->node[i].name);
	if (capacity < p->total)
		return hp_fail(e, HP_NOSHARE,
		    "%ju items: the nodes together hold %ju",
		    (uintmax_t)p->total, (uintmax_t)capacity);
	return cost_check(c->node[0].curve.cost, (double)p->total, e);
}

int
share_prove(const struct problem *p, const uint64_t *n, struct certificate *v,
    struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	size_t rank, point;

	if (!cluster_falls(c, &rank, &point))
		share_certify(c, p->total, n, v);
	else if (share_shape_certify(c, p->total, n, v, e) == -1)
		return -1;
	if (isfinite(v->makespan))
		return 0;
	return hp_fail(e, HP_NOSHARE,
	    "node '%s' would never be done with %ju items",
	    c->node[v->last].name, (uintmax_t)n[v->last]);
}

int
share_bound(const struct problem *p, double *bound, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	uint64_t *n = reallocarray(NULL, c->n, sizeof *n);
	size_t rank, point;
	int rc;

	if (n == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	if (cluster_falls(c, &rank, &point))
		rc = share_shape(c, p->total, n, e);
	else
		rc = share_exact(c, p->total, n, e);
	*bound = 0;
	for (size_t i = 0; i < c->n && rc == 0; i++)
		*bound = fmax(*bound, curve_time(&c->node[i].curve, n[i]));
	free(n);
	return rc;
}

int
share_solve(
    const struct problem *p, enum method m, struct answer *a, struct hp_err *e)
{
	const struct cluster *c = p->cluster;

	*a = (struct answer){ .method = m };
	if (check_models(p, e) == -1)
		return -1;
	if (m == METHOD_AUTO)
		a->method = method_richest(c);
	if ((a->n = reallocarray(NULL, c->n, sizeof *a->n)) == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	if (method_divide(a->method, p, a->n, e) == -1 ||
	    share_prove(p, a->n, &a->proof, e) == -1)
		goto bad;
	a->bound = a->proof.makespan;
	if (!a->proof.optimal && share_bound(p, &a->bound, e) == -1)
		goto bad;
	return 0;
bad:
	answer_fini(a);
	return -1;
}

/* What the times come from: measured points, the cost function, or both. */
static char *
model_text(const struct cluster *c)
{
	size_t measured = 0;
	char *text;

	for (size_t i = 0; i < c->n; i++)
		measured += c->node[i].curve.point != NULL;
	if (measured == c->n)
		return strdup("points");
	if (asprintf(&text, "%s%s", measured > 0 ? "points, " : "",
		c->node[0].curve.cost->text) == -1)
		return NULL;
	return text;
}

int
answer_plan(const struct cluster *c, const struct answer *a, struct plan *p,
    struct hp_err *e)
{
	*p = (struct plan){ 0 };
	for (size_t i = 0; i < c->n; i++) {
		const struct node *node = &c->node[i];

		if (plan_add(p, node->name, a->n[i],
			curve_time(&node->curve, a->n[i]), e) == -1)
			return -1;
		p->share[i].extrapolated = curve_extrapolates(
		    &node->curve, a->n[i]);
	}
	p->method = strdup(method_name(a->method));
	p->cost = model_text(c);
	if (p->method == NULL || p->cost == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	p->makespan = a->proof.makespan;
	p->bound = a->bound;
	p->optimal = a->proof.optimal;
	p->unique = a->proof.unique;
	return 0;
}

void
answer_fini(struct answer *a)
{
	free(a->n);
	*a = (struct answer){ 0 };
}

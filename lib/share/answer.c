#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/answer.h"
#include "share/fill.h"
#include "share/search.h"

static int
check_models(const struct cluster *c, uint64_t total, struct hp_err *e)
{
	const struct cost *cost = c->node[0].curve.cost;

	if (cost_check(cost, (double)total, e) == -1)
		return -1;
	for (size_t i = 0; i < c->n; i++) {
		const struct node *node = &c->node[i];
		size_t falls;

		if (!curve_known(&node->curve))
			return hp_fail(e, HP_USAGE,
			    "node '%s' has neither speed nor points",
			    node->name);
		if ((falls = curve_falls(&node->curve)) > 0)
			return hp_fail(e, HP_USAGE,
			    "node '%s': points[%zu] takes less time than "
			    "points[%zu]",
			    node->name, falls, falls - 1);
	}
	return 0;
}

static int
prove(const struct cluster *c, uint64_t total, bool exact, struct answer *a,
    struct hp_err *e)
{
	struct certificate best;
	uint64_t *n;

	share_certify(c, total, a->n, &a->proof);
	a->bound = a->proof.makespan;
	if (!isfinite(a->bound))
		return hp_fail(e, HP_NOSHARE,
		    "node '%s' would never be done with %ju items",
		    c->node[a->proof.last].name,
		    (uintmax_t)a->n[a->proof.last]);
	if (exact || a->proof.optimal)
		return 0;
	if ((n = reallocarray(NULL, c->n, sizeof *n)) == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	if (share_exact(c, total, n, e) == -1) {
		free(n);
		return -1;
	}
	share_certify(c, total, n, &best);
	a->bound = best.makespan;
	free(n);
	return 0;
}

int
share_solve(const struct cluster *c, uint64_t total, enum method m,
    struct answer *a, struct hp_err *e)
{
	uint64_t capacity = share_capacity(c);

	*a = (struct answer){ .method = m };
	if (check_models(c, total, e) == -1)
		return -1;
	if (capacity < total)
		return hp_fail(e, HP_NOSHARE,
		    "%ju items: the nodes together hold %ju", (uintmax_t)total,
		    (uintmax_t)capacity);
	if (m == METHOD_AUTO)
		a->method = method_richest(c);
	if ((a->n = reallocarray(NULL, c->n, sizeof *a->n)) == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	if (method_divide(a->method, c, total, a->n, e) == -1 ||
	    prove(c, total, method_is_exact(a->method), a, e) == -1) {
		answer_fini(a);
		return -1;
	}
	return 0;
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

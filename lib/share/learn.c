#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "share/learn.h"

/*
 * Returns the number of items up to which all measured nodes have measurements:
 * the smallest of their largest measured sizes. Returns 0 if no node was
 * measured.
 */
static double
first_batch(const struct cluster *c)
{
	double n = INFINITY;

	for (size_t i = 0; i < c->n; i++) {
		const struct curve *v = &c->node[i].curve;

		if (v->npoints > 0)
			n = fmin(n, v->point[v->npoints - 1].n);
	}
	return isinf(n) ? 0 : n;
}

/*
 * Stores in k[] each node's speed at n items, relative to the fastest node.
 * Costs computed from absolute speeds could overflow.
 */
static void
batch_speeds(const struct cluster *c, double n, double *k)
{
	double fastest = 0, sum = 0, measured = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct curve *v = &c->node[i].curve;

		k[i] = v->npoints > 0 ? fmin(curve_speed(v, n), DBL_MAX) : 0;
		fastest = fmax(fastest, k[i]);
	}
	for (size_t i = 0; i < c->n; i++) {
		k[i] /= fastest;
		sum += k[i];
		measured += c->node[i].curve.npoints > 0;
	}
	for (size_t i = 0; i < c->n; i++)
		k[i] = c->node[i].curve.npoints > 0 ? fmax(k[i], DBL_MIN)
						    : sum / measured;
}

static void
learn_speeds(const struct cluster *c, double *k)
{
	double n = first_batch(c);
	bool given = false;

	for (size_t i = 0; i < c->n; i++) {
		k[i] = c->node[i].curve.speed;
		given = given || k[i] > 0;
		if (k[i] == 0)
			k[i] = 1;
	}
	if (!given && n > 0)
		batch_speeds(c, n, k);
}

int
learn_cost(const struct cluster *c, enum merge how, double *k,
    struct cost *cost, struct hp_err *e)
{
	struct record *r;
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < c->n; i++)
		n += c->node[i].curve.npoints;
	if ((r = reallocarray(NULL, n + 1, sizeof *r)) == NULL)
		return hp_fail(e, HP_NOMEM, "learned costs");
	learn_speeds(c, k);
	n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct curve *v = &c->node[i].curve;

		for (size_t j = 0; j < v->npoints; j++)
			r[n++] = (struct record){ v->point[j].n,
				v->point[j].seconds * k[i], 1 };
	}
	rc = cost_learn(cost, r, n, how, e);
	free(r);
	return rc;
}

int
cluster_learn(
    struct cluster *c, enum merge how, struct cost *cost, struct hp_err *e)
{
	double *k = reallocarray(NULL, c->n, sizeof *k), measured, most = 0;
	int rc = k == NULL ? hp_fail(e, HP_NOMEM, "learned costs")
			   : learn_cost(c, how, k, cost, e);

	for (size_t i = 0; i < c->n; i++)
		most = fmax(most, c->node[i].curve.measured);

	for (size_t i = 0; i < c->n && rc == 0; i++) {
		struct curve *v = &c->node[i].curve;

		/*
		 * The measured points also limit the capacity of the node. Keep
		 * this limit when the points are removed.
		 */
		v->capacity = curve_limit(v);
		measured = v->measured > 0 ? v->measured : most;
		curve_set_points(v, NULL, 0);
		v->measured = measured;
		v->speed = k[i];
		v->cost = cost;
	}
	free(k);
	return rc;
}

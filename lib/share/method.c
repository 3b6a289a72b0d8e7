#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "share/closed.h"
#include "share/fill.h"
#include "share/method.h"
#include "share/search.h"

typedef int
divide(const struct cluster *, uint64_t total, uint64_t *n, struct hp_err *);

/*
 * Whole shares from real ones: none below 0 or above what the node can take,
 * rounded down; the rest goes to where the key is least.  What is left by nodes
 * that are full goes to where it is done soonest.
 */
static int
round_down(const struct cluster *c, uint64_t total, double *x, share_key *key,
    uint64_t *n, struct hp_err *e)
{
	double negative = 0, scale;
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		if (x[i] < 0) {
			negative -= x[i];
			x[i] = 0;
		}
	scale = (double)total / ((double)total + negative);
	for (size_t i = 0; i < c->n; i++) {
		uint64_t limit = curve_limit(&c->node[i].curve);

		if (limit > total - sum)
			limit = total - sum;
		x[i] *= scale;
		n[i] = x[i] < (double)limit ? (uint64_t)x[i] : limit;
		sum += n[i];
	}
	if (total - sum <= 2 * c->n + 64)
		return share_hand_out(c, key, total - sum, n, e);
	return share_level(c, total, 1, n, e);
}

/* Relative speeds; measured nodes without one have theirs at size n. */
static double *
speeds(const struct cluster *c, double n, struct hp_err *e)
{
	double *k = reallocarray(NULL, c->n, sizeof *k);

	if (k == NULL) {
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
		return NULL;
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct node *node = &c->node[i];

		k[i] = node->curve.speed;
		if (k[i] == 0 && n > 0)
			k[i] = curve_speed(&node->curve, n);
		if (k[i] > 0)
			continue;
		hp_fail(e, HP_USAGE, "node '%s' has no speed", node->name);
		free(k);
		return NULL;
	}
	return k;
}

static int
need_cost(const struct cluster *c, enum cost_kind kind, const char *which,
    struct hp_err *e)
{
	const struct cost *cost = c->node[0].curve.cost;

	if (cost->kind == kind ||
	    (kind == COST_POWER && cost->kind == COST_LINEAR))
		return 0;
	return hp_fail(e, HP_USAGE, "the method is for the cost %s, not for %s",
	    which, cost->text);
}

/* The same nodes and limits, but times by the speeds; borrows all. */
static int
by_speed(const struct cluster *c, struct cluster *view, struct hp_err *e)
{
	*view = (struct cluster){ .n = c->n };
	view->node = reallocarray(NULL, c->n, sizeof *view->node);
	if (view->node == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	for (size_t i = 0; i < c->n; i++) {
		view->node[i] = c->node[i];
		view->node[i].curve.point = NULL;
		view->node[i].curve.capacity = curve_limit(&c->node[i].curve);
		if (c->node[i].curve.speed > 0)
			continue;
		free(view->node);
		return hp_fail(
		    e, HP_USAGE, "node '%s' has no speed", c->node[i].name);
	}
	return 0;
}

static int
equal(const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	double *x = reallocarray(NULL, c->n, sizeof *x);
	int rc;

	if (x == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	for (size_t i = 0; i < c->n; i++)
		x[i] = (double)(total / c->n);
	rc = round_down(c, total, x, share_key_items, n, e);
	free(x);
	return rc;
}

/*
 * Cérin, Koskas, Jemni and Fkaier 2004.  Rounded as Beaumont et al. 2001 do,
 * each item left to the smallest (n_i + 1)/k_i, which is optimal for a linear
 * cost, as the largest remainder is not.
 */
static int
proportional(
    const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	double each = fmax((double)total / (double)c->n, 1);
	struct cluster view = { .n = c->n };
	double *k = speeds(c, each, e), *x;
	int rc = -1;

	if (k == NULL)
		return -1;
	x = reallocarray(NULL, c->n, sizeof *x);
	view.node = reallocarray(NULL, c->n, sizeof *view.node);
	if (x == NULL || view.node == NULL) {
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
		goto out;
	}
	for (size_t i = 0; i < c->n; i++) {
		view.node[i] = c->node[i];
		view.node[i].curve.speed = k[i];
	}
	closed_proportional(k, c->n, (double)total, x);
	rc = round_down(&view, total, x, share_key_speed, n, e);
out:
	free(view.node);
	free(x);
	free(k);
	return rc;
}

/* Cérin, Koskas, Jemni and Fkaier 2004, Theorem 3; it divides by ln N. */
static int
taylor(const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	double *k, *x;
	int rc = -1;

	if (total < 2)
		return equal(c, total, n, e);
	if (need_cost(c, COST_NLOGN, COST_DEFAULT, e) == -1 ||
	    (k = speeds(c, 0, e)) == NULL)
		return -1;
	if ((x = reallocarray(NULL, c->n, sizeof *x)) == NULL)
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	else {
		closed_taylor(k, c->n, (double)total, x);
		rc = round_down(c, total, x, share_key_time, n, e);
	}
	free(x);
	free(k);
	return rc;
}

/* Cérin, Dubacq and Roch 2006, Theorem 2, corrected and as it is printed. */
static int
asymptotic_either(const struct cluster *c, uint64_t total, bool printed,
    uint64_t *n, struct hp_err *e)
{
	double *k, *x;
	int rc = -1;

	if (need_cost(c, COST_NLOGN, COST_DEFAULT, e) == -1 ||
	    (k = speeds(c, 0, e)) == NULL)
		return -1;
	if ((x = reallocarray(NULL, c->n, sizeof *x)) == NULL)
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	else {
		closed_asymptotic(k, c->n, (double)total, printed, x);
		rc = round_down(c, total, x, share_key_time, n, e);
	}
	free(x);
	free(k);
	return rc;
}

static int
asymptotic(
    const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	return asymptotic_either(c, total, false, n, e);
}

static int
asymptotic_printed(
    const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	return asymptotic_either(c, total, true, n, e);
}

/*
 * Cérin, Dubacq and Roch 2006, Theorem 1: T^(1/b) = N / sum_j k_j^(1/b).  The
 * last items go to the smallest t_i(n_i + 1); the paper's (n_i + 1)/k_i is
 * right for b = 1 only.
 */
static int
power(const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	const struct cost *cost = c->node[0].curve.cost;
	double b = cost->kind == COST_POWER ? cost->exponent : 1, sum = 0;
	struct cluster view;
	int rc;

	if (need_cost(c, COST_POWER, "n^b", e) == -1 ||
	    by_speed(c, &view, e) == -1)
		return -1;
	for (size_t i = 0; i < c->n; i++) {
		sum += pow(c->node[i].curve.speed, 1 / b);
		n[i] = 0;
	}
	rc = share_level(&view, total, pow((double)total / sum, b), n, e);
	free(view.node);
	return rc;
}

/*
 * Cérin, Dubacq and Roch 2006, section 3.2: f^-1(x) = x/W(x), so that
 * sum_i T k_i / W(T k_i) = N.
 */
static int
nlogn(const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	struct cluster view;
	int rc;

	if (need_cost(c, COST_NLOGN, COST_DEFAULT, e) == -1 ||
	    by_speed(c, &view, e) == -1)
		return -1;
	rc = share_exact(&view, total, n, e);
	free(view.node);
	return rc;
}

/* Lastovetsky and Reddy 2007, Algorithm 1, for measured speeds only. */
static int
fpm(const struct cluster *c, uint64_t total, uint64_t *n, struct hp_err *e)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->node[i].curve.point == NULL)
			return hp_fail(e, HP_USAGE,
			    "the method needs points, and node '%s' has none",
			    c->node[i].name);
	return share_exact(c, total, n, e);
}

static const struct {
	const char *name;
	divide *divide;
	bool exact; /* the optimum of the model that it divides by */
} methods[METHODS] = {
	[METHOD_AUTO] = { "auto", NULL, true },
	[METHOD_EQUAL] = { "equal", equal, false },
	[METHOD_PROPORTIONAL] = { "proportional", proportional, false },
	[METHOD_TAYLOR] = { "taylor", taylor, false },
	[METHOD_POWER] = { "power", power, false },
	[METHOD_NLOGN] = { "nlogn", nlogn, false },
	[METHOD_ASYMPTOTIC] = { "asymptotic", asymptotic, false },
	[METHOD_ASYMPTOTIC_PRINTED] = { "asymptotic-printed",
	    asymptotic_printed, false },
	[METHOD_EXACT] = { "exact", share_exact, true },
	[METHOD_FPM] = { "fpm", fpm, true },
};

const char *
method_name(enum method m)
{
	return methods[m].name;
}

int
method_parse(const char *name, enum method *m, struct hp_err *e)
{
	char all[400] = "";

	for (int i = 0; i < METHODS; i++) {
		if (strcmp(name, methods[i].name) == 0) {
			*m = (enum method)i;
			return 0;
		}
		strlcat(all, " ", sizeof all);
		strlcat(all, methods[i].name, sizeof all);
	}
	return hp_fail(
	    e, HP_USAGE, "method '%.64s': must be one of%s", name, all);
}

bool
method_is_exact(enum method m)
{
	return methods[m].exact;
}

enum method
method_richest(const struct cluster *c)
{
	const struct cost *cost = c->node[0].curve.cost;
	size_t measured = 0;

	for (size_t i = 0; i < c->n; i++)
		measured += c->node[i].curve.point != NULL;
	if (measured == c->n)
		return METHOD_FPM;
	if (measured == 0 && cost->kind == COST_NLOGN)
		return METHOD_NLOGN;
	return METHOD_EXACT;
}

int
method_divide(enum method m, const struct cluster *c, uint64_t total,
    uint64_t *n, struct hp_err *e)
{
	struct hp_err why = { 0 };

	if (methods[m].divide(c, total, n, &why) == 0)
		return 0;
	return hp_fail(
	    e, why.kind, "method %s: %.900s", methods[m].name, why.text);
}

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "share/closed.h"
#include "share/dp.h"
#include "share/fill.h"
#include "share/learn.h"
#include "share/method.h"
#include "share/search.h"
#include "share/shape.h"

typedef int divide(const struct problem *, struct division *, struct hp_err *);

/*
 * Whole shares from real ones: none below 0 or above what the node can take,
 * rounded down; the rest goes to where the key is least.  What is left by nodes
 * that are full goes to where it is done soonest.
 */
static int
round_down(const struct cluster *c, uint64_t total, double *x, share_key *key,
    struct division *d, struct hp_err *e)
{
	uint64_t *n = d->n;
	double negative = 0, scale;
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		if (x[i] < 0) {
			negative -= x[i];
			x[i] = 0;
			d->clamped++;
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

/* Items in the time that n of them take, or as many as the node can take. */
static double
speed_at(const struct curve *c, double n)
{
	double at = fmin(n, (double)curve_limit(c));
	double t = at > 0 ? curve_time_real(c, at) : INFINITY;

	return t > 0 && isfinite(t) ? at / t : DBL_MIN;
}

/*
 * Relative speeds.  Where not all nodes have one, and n is not 0, each node's
 * is what it does with n items.
 */
static double *
speeds(const struct cluster *c, double n, struct hp_err *e)
{
	double *k = reallocarray(NULL, c->n, sizeof *k);
	size_t without = c->n;

	if (k == NULL) {
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
		return NULL;
	}
	for (size_t i = 0; i < c->n; i++)
		if ((k[i] = c->node[i].curve.speed) == 0)
			without = i;
	if (without == c->n)
		return k;
	if (n == 0) {
		hp_fail(e, HP_USAGE, "node '%s' has no speed",
		    c->node[without].name);
		free(k);
		return NULL;
	}
	for (size_t i = 0; i < c->n; i++)
		k[i] = speed_at(&c->node[i].curve, n);
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

/*
 * The same nodes and limits, but times by the speeds; borrows all.  The nodes
 * themselves when none is measured: there may be a million.
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

static int
equal(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	double *x = reallocarray(NULL, c->n, sizeof *x);
	int rc;

	if (x == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	for (size_t i = 0; i < c->n; i++)
		x[i] = (double)(p->total / c->n);
	rc = round_down(c, p->total, x, share_key_items, d, e);
	free(x);
	return rc;
}

/*
 * Cérin, Koskas, Jemni and Fkaier 2004.  Rounded as Beaumont et al. 2001 do,
 * each item left to the smallest (n_i + 1)/k_i, which is optimal for a linear
 * cost, as the largest remainder is not.
 */
static int
proportional(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	/* Of one item n log n costs nothing. */
	double each = fmax((double)p->total / (double)c->n, 2);
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
	closed_proportional(k, c->n, (double)p->total, x);
	rc = round_down(&view, p->total, x, share_key_speed, d, e);
out:
	free(view.node);
	free(x);
	free(k);
	return rc;
}

/* The closed form of n log n, rounded down; the rest by finish times. */
static int
rounded(const struct problem *p,
    void (*form)(const double *k, size_t n, double total, double *x),
    struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	double *k, *x;
	int rc = -1;

	if (need_cost(c, COST_NLOGN, COST_DEFAULT, e) == -1 ||
	    (k = speeds(c, 0, e)) == NULL)
		return -1;
	if ((x = reallocarray(NULL, c->n, sizeof *x)) == NULL)
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	else {
		form(k, c->n, (double)p->total, x);
		rc = round_down(c, p->total, x, share_key_time, d, e);
	}
	free(x);
	free(k);
	return rc;
}

/* Cérin, Koskas, Jemni and Fkaier 2004, Theorem 3; it divides by ln N. */
static int
taylor(const struct problem *p, struct division *d, struct hp_err *e)
{
	return p->total < 2 ? equal(p, d, e) : rounded(p, closed_taylor, d, e);
}

/* Cérin, Dubacq and Roch 2006, Theorem 2, corrected and as it is printed. */
static void
as_corrected(const double *k, size_t n, double total, double *x)
{
	closed_asymptotic(k, n, total, false, x);
}

static void
as_printed(const double *k, size_t n, double total, double *x)
{
	closed_asymptotic(k, n, total, true, x);
}

static int
asymptotic(const struct problem *p, struct division *d, struct hp_err *e)
{
	return rounded(p, as_corrected, d, e);
}

static int
asymptotic_printed(
    const struct problem *p, struct division *d, struct hp_err *e)
{
	return rounded(p, as_printed, d, e);
}

/*
 * Cérin, Dubacq and Roch 2006, Theorem 1: T^(1/b) = N / sum_j k_j^(1/b).  The
 * last items go to the smallest t_i(n_i + 1); the paper's (n_i + 1)/k_i is
 * right for b = 1 only.
 */
static int
power(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	const struct cost *cost = c->node[0].curve.cost;
	double b = cost->kind == COST_POWER ? cost->exponent : 1, sum = 0;
	struct cluster view;
	int rc;

	if (need_cost(c, COST_POWER, "n^b", e) == -1 ||
	    by_speed(c, &view, e) == -1)
		return -1;
	for (size_t i = 0; i < c->n; i++) {
		sum += pow(c->node[i].curve.speed, 1 / b);
		d->n[i] = 0;
	}
	rc = share_level(
	    &view, p->total, pow((double)p->total / sum, b), d->n, e);
	view_fini(&view, c);
	return rc;
}

/*
 * Cérin, Dubacq and Roch 2006, section 3.2: f^-1(x) = x/W(x), so that
 * sum_i T k_i / W(T k_i) = N.
 */
static int
nlogn(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	struct cluster view;
	int rc;

	if (need_cost(c, COST_NLOGN, COST_DEFAULT, e) == -1 ||
	    by_speed(c, &view, e) == -1)
		return -1;
	rc = share_exact(&view, p->total, d->n, e);
	view_fini(&view, c);
	return rc;
}

static int
exact(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	size_t rank, i;

	if (cluster_falls(c, &rank, &i))
		return hp_fail(e, HP_USAGE,
		    "node '%s' needs less time at points[%zu] than at "
		    "points[%zu]; method dp is for such",
		    c->node[rank].name, i, i - 1);
	return share_exact(c, p->total, d->n, e);
}

/* Lastovetsky and Reddy 2007, Algorithm 1, for measured speeds only. */
static int
fpm(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	for (size_t i = 0; i < c->n; i++)
		if (c->node[i].curve.point == NULL)
			return hp_fail(e, HP_USAGE,
			    "the method needs points, and node '%s' has none",
			    c->node[i].name);
	return exact(p, d, e);
}

static double
time_of(const void *context, size_t i, uint64_t x)
{
	const struct cluster *c = context;

	return curve_time(&c->node[i].curve, x);
}

/*
 * Cérin, Dubacq and Roch 2006, section 4: exact for any shape.  Where N is too
 * large for the table the same optimum is searched by time.
 */
static int
dp(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	uint64_t block = p->block > 0 ? p->block : 1;
	double makespan;

	if (dp_feasible(c->n, p->total, block))
		return dp_divide(
		    time_of, c, c->n, p->total, block, d->n, &makespan, e);
	if (p->block == 0)
		return share_shape(c, p->total, d->n, e);
	return hp_fail(e, HP_USAGE,
	    "%ju items in blocks of %ju are too many for the table",
	    (uintmax_t)p->total, (uintmax_t)p->block);
}

/*
 * The same nodes and limits, but times by what was learned from all of them;
 * borrows all but the nodes.
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
static int
learned(const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	struct cost cost = { 0 };
	struct cluster view;
	bool measured = false;
	int rc;

	if (c->node[0].curve.cost->kind == COST_LEARNED)
		return exact(p, d, e);
	for (size_t i = 0; i < c->n; i++)
		measured = measured || c->node[i].curve.point != NULL;
	if (!measured)
		return hp_fail(e, HP_USAGE, "no node has points to learn from");
	rc = by_learning(c, &cost, &view, e);
	if (rc == 0)
		rc = share_exact(&view, p->total, d->n, e);
	free(view.node);
	cost_fini(&cost);
	return rc;
}

static const struct {
	const char *name;
	divide *divide;
} methods[METHODS] = {
	[METHOD_AUTO] = { "auto", NULL },
	[METHOD_EQUAL] = { "equal", equal },
	[METHOD_PROPORTIONAL] = { "proportional", proportional },
	[METHOD_TAYLOR] = { "taylor", taylor },
	[METHOD_POWER] = { "power", power },
	[METHOD_NLOGN] = { "nlogn", nlogn },
	[METHOD_ASYMPTOTIC] = { "asymptotic", asymptotic },
	[METHOD_ASYMPTOTIC_PRINTED] = { "asymptotic-printed",
	    asymptotic_printed },
	[METHOD_EXACT] = { "exact", exact },
	[METHOD_FPM] = { "fpm", fpm },
	[METHOD_DP] = { "dp", dp },
	[METHOD_LEARNED] = { "learned", learned },
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

enum method
method_richest(const struct cluster *c)
{
	const struct cost *cost = c->node[0].curve.cost;
	size_t measured = 0, rank, i;

	if (cluster_falls(c, &rank, &i))
		return METHOD_DP;
	for (i = 0; i < c->n; i++)
		measured += c->node[i].curve.point != NULL;
	if (measured == c->n)
		return METHOD_FPM;
	if (measured == 0 && cost->kind == COST_NLOGN)
		return METHOD_NLOGN;
	return METHOD_EXACT;
}

int
method_divide(enum method m, const struct problem *p, struct division *d,
    struct hp_err *e)
{
	struct hp_err why = { 0 };

	if (methods[m].divide(p, d, &why) == 0)
		return 0;
	return hp_fail(
	    e, why.kind, "method %s: %.900s", methods[m].name, why.text);
}

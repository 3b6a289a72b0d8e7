#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "share/closed.h"
#include "share/fill.h"
#include "share/formula.h"

/*
 * Makes integer shares from the real shares x that a formula gives. First
 * rounds each share down; a share is at least 0 and at most the node's
 * capacity. Then hands out the items that are left. A few items go one by one
 * to the node with the smallest key (see share_hand_out). Many items, which
 * exceed capacities, go to the nodes that finish them first.
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

/*
 * Returns the node's speed at n items, or at its largest possible number of
 * items if that is smaller.
 */
static double
speed_at(const struct curve *c, double n)
{
	double at = fmin(n, (double)curve_limit(c));
	double t = at > 0 ? curve_time_real(c, at) : INFINITY;

	return t > 0 && isfinite(t) ? at / t : DBL_MIN;
}

/*
 * Returns an array with the relative speeds of all nodes. If a node has no
 * relative speed and n is not 0, returns the speeds measured at n items for all
 * nodes instead. The caller frees the array.
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

int
formula_equal(const struct problem *p, struct division *d, struct hp_err *e)
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
 * Shares in proportion to the speeds (Cérin, Koskas, Jemni and Fkaier 2004),
 * rounded down. As in Beaumont et al. 2001, each of the last items goes to the
 * node with the smallest (n_i + 1)/k_i. This rule is optimal for a linear cost.
 * The method of largest remainders is not optimal.
 */
int
formula_proportional(
    const struct problem *p, struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	/*
	 * A node's speed is cost divided by time. With fewer than 2 items, the
	 * cost n log n would be 0. So take the speed at 2 items or more.
	 */
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

/*
 * Computes shares for the cost n log n by a closed formula and rounds them
 * down. The remaining items go to the nodes that finish them first.
 */
static int
rounded(const struct problem *p,
    void (*form)(const double *k, size_t n, double total, double *x),
    struct division *d, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	double *k, *x;
	int rc = -1;

	if ((k = speeds(c, 0, e)) == NULL)
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

/*
 * Uses Theorem 3 of Cérin, Koskas, Jemni and Fkaier 2004. The theorem divides
 * by ln N, so fewer than 2 items are divided equally.
 */
int
formula_taylor(const struct problem *p, struct division *d, struct hp_err *e)
{
	return p->total < 2 ? formula_equal(p, d, e)
			    : rounded(p, closed_taylor, d, e);
}

/* Uses equations 6 and 8 of Cérin, Koskas, Jemni and Fkaier 2004. */
int
formula_newton(const struct problem *p, struct division *d, struct hp_err *e)
{
	return p->total < 2 ? formula_equal(p, d, e)
			    : rounded(p, closed_newton, d, e);
}

/*
 * The two versions of Theorem 2 of Cérin, Dubacq and Roch 2006: with its
 * missing factor (as_corrected), and as it was printed.
 */
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

int
formula_asymptotic(
    const struct problem *p, struct division *d, struct hp_err *e)
{
	return rounded(p, as_corrected, d, e);
}

int
formula_asymptotic_printed(
    const struct problem *p, struct division *d, struct hp_err *e)
{
	return rounded(p, as_printed, d, e);
}

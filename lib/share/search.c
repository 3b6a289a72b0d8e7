#include <math.h>
#include <stdbool.h>

#include "cost/inverse.h"
#include "share/fill.h"
#include "share/search.h"

/*
 * Returns how many items all nodes together finish by the time T. Stores the
 * derivative of that number in *slope.
 */
static double
done_by(const struct cluster *c, double T, double *slope)
{
	double sum = 0, dx;

	*slope = 0;
	for (size_t i = 0; i < c->n; i++) {
		sum += curve_inverse(&c->node[i].curve, T, &dx);
		*slope += dx;
	}
	return sum;
}

/*
 * Brackets the finish time. If every node gets total/p items, the fastest node
 * finishes before the balanced time and the slowest after it. These are the
 * first two lines of Algorithm 1 in Lastovetsky and Reddy 2007. A node that
 * cannot hold total/p items leaves more to the others; then hi is raised until
 * it is an upper bound. The first guess T is the finish time of proportional
 * shares at these speeds.
 */
static void
first_lines(const struct cluster *c, double total, double *lo, double *hi,
    double *T, unsigned *steps)
{
	double x = fmax(total / (double)c->n, 1), t, slope, speed = 0;
	bool all = true;

	*lo = INFINITY;
	*hi = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct curve *v = &c->node[i].curve;

		if (x > (double)curve_limit(v)) {
			all = false;
			continue;
		}
		t = curve_time_real(v, x);
		speed += x / t;
		*lo = fmin(*lo, t);
		*hi = fmax(*hi, t);
	}
	*T = total / speed;
	if (*lo == INFINITY || total < (double)c->n)
		*lo = 0;
	if (*hi == 0)
		*hi = 1;
	if (all && total >= (double)c->n)
		return;
	while (*hi < INFINITY && done_by(c, *hi, &slope) < total) {
		++*steps;
		*lo = fmax(*lo, *hi);
		*hi *= 4;
	}
}

double
share_root(const struct cluster *c, uint64_t total, unsigned *steps)
{
	const double N = (double)total;
	double lo, hi, T, x, slope;
	unsigned unread = 0;

	if (total <= c->n && done_by(c, 0, &slope) >= N)
		return 0;
	if (steps == NULL)
		steps = &unread;
	first_lines(c, N, &lo, &hi, &T, steps);
	if (!(T > lo && T < hi))
		T = hi;
	for (int i = 0; i < 200 && hi - lo > 1e-15 * hi; i++) {
		x = done_by(c, T, &slope);
		++*steps;
		if (fabs(x - N) <= 1e-12 * N)
			return T;
		if (x < N)
			lo = T;
		else
			hi = T;
		T += (N - x) / slope;
		if (!(T > lo && T < hi))
			T = lo > 0 ? sqrt(lo) * sqrt(hi) : hi / 2;
		if (!(T > lo && T < hi))
			break;
	}
	return T;
}

int
share_exact(const struct cluster *c, uint64_t total, uint64_t *n,
    unsigned *steps, struct hp_err *e)
{
	for (size_t i = 0; i < c->n; i++)
		n[i] = 0;
	if (total == 0)
		return 0;
	return share_level(c, total, share_root(c, total, steps), n, e);
}

#include <math.h>

#include "cost/inverse.h"

/*
 * Finds the x between lo and hi whose time is T, by the Illinois variant of the
 * false-position method. The time at lo must be at most T, that at hi at least
 * T.
 */
static double
between(const struct curve *c, double T, double lo, double hi)
{
	double flo = -T, fhi = curve_time_real(c, hi) - T, x = hi, f;
	int side = 0;

	if (!(fhi > 0))
		return hi;
	for (int i = 0; i < 200 && hi - lo > 1e-15 * hi; i++) {
		/*
		 * Every third step bisects the interval, because the
		 * false-position method is slow where the time jumps.
		 */
		x = i % 3 == 2 || !isfinite(fhi)
		    ? lo + (hi - lo) / 2
		    : (lo * fhi - hi * flo) / (fhi - flo);
		if (!(x > lo && x < hi))
			x = lo + (hi - lo) / 2;
		f = curve_time_real(c, x) - T;
		if (f <= 0) {
			lo = x;
			flo = f;
			if (side == -1)
				fhi /= 2;
			side = -1;
		} else {
			hi = x;
			fhi = f;
			if (side == 1)
				flo /= 2;
			side = 1;
		}
	}
	return lo;
}

/*
 * Solves t(x) = T between two measured points, where the speed is a + m x, so T
 * (a + m x) = x. In a plot of the speed this is where the line x / T through
 * the origin cuts the curve (Lastovetsky and Reddy 2007, section 3.1).
 */
static double
ray_cuts_piece(const struct curve *c, uint32_t i, double T, double *slope)
{
	const struct point *p = &c->point[i - 1], *q = &c->point[i];
	double s = p->n / p->seconds;
	double m = (q->n / q->seconds - s) / (q->n - p->n);
	double a = s - m * p->n, d = 1 - m * T;

	if (d <= 0 || a <= 0) {
		*slope = 0;
		return q->n;
	}
	*slope = a / d / d;
	return a * T / d;
}

static double
ray_cuts(const struct curve *c, double T, double *slope)
{
	const struct point *p = c->point;
	uint32_t lo = 0, hi = c->npoints;
	double x;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p[mid].seconds < T)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo > 0 && lo < c->npoints) {
		x = ray_cuts_piece(c, lo, T, slope);
		return fmin(fmax(x, p[lo - 1].n), p[lo].n);
	}
	if (lo > 1 && c->beyond == BEYOND_LINEAR) {
		x = ray_cuts_piece(c, lo - 1, T, slope);
		return *slope > 0 ? x : (double)CURVE_MOST;
	}
	if (lo > 0)
		lo--;
	*slope = p[lo].n / p[lo].seconds;
	return T * *slope;
}

static double
without_transport(const struct curve *c, double T, double *slope)
{
	double x;

	if (c->point != NULL)
		return ray_cuts(c, T, slope);
	x = cost_inverse(c->cost, T * c->speed, slope);
	*slope *= c->speed;
	return x;
}

double
curve_inverse(const struct curve *c, double T, double *slope)
{
	double limit = (double)curve_limit(c), x, dx = 0;
	bool written = c->point == NULL && c->cost->kind == COST_EXPR;

	T -= c->latency_s;
	if (T < 0)
		x = 0;
	else if (!written && c->seconds_per_item == 0)
		x = without_transport(c, T, &dx);
	else {
		x = written ? limit : without_transport(c, T, &dx);
		if (c->seconds_per_item > 0)
			x = fmin(x, T / c->seconds_per_item);
		x = between(c, T + c->latency_s, 0, fmin(x, limit));
		/*
		 * Approximate the time by a line through the origin. This is
		 * accurate enough for Newton's method.
		 */
		dx = T > 0 ? x / T : 0;
	}
	if (x >= limit) {
		x = limit;
		dx = 0;
	}
	if (slope != NULL)
		*slope = dx;
	return x;
}

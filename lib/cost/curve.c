#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/curve.h"

static const char *const beyonds[] = { [BEYOND_CONST] = "const",
	[BEYOND_LINEAR] = "linear",
	[BEYOND_STOP] = "stop" };

int
beyond_parse(const char *s, enum beyond *b)
{
	for (size_t i = 0; i < sizeof beyonds / sizeof *beyonds; i++)
		if (strcmp(s, beyonds[i]) == 0) {
			*b = (enum beyond)i;
			return 0;
		}
	return -1;
}

const char *
beyond_text(enum beyond b)
{
	return beyonds[b];
}

void
curve_init(struct curve *c)
{
	*c = (struct curve){ .capacity = CURVE_MOST };
}

void
curve_fini(struct curve *c)
{
	free(c->point);
	curve_init(c);
}

void
curve_set_points(struct curve *c, struct point *point, size_t n)
{
	free(c->point);
	c->point = point;
	c->npoints = (uint32_t)n;
	c->measured = n > 0 ? point[n - 1].n : 0;
}

bool
curve_known(const struct curve *c)
{
	return c->point != NULL || (c->speed > 0 && c->cost != NULL);
}

/*
 * Returns the index i of the segment that contains x, between points i - 1 and
 * i.
 */
static uint32_t
piece(const struct curve *c, double x)
{
	uint32_t lo = 0, hi = c->npoints;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (c->point[mid].n < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static long double
speed_at(const struct point *p)
{
	return (long double)p->n / p->seconds;
}

/*
 * Returns the speed on the line through p and q if it is much smaller than the
 * speed at p. There the usual formula loses precision by cancellation. This
 * computes
 *   p->n / p->seconds (q->n - x) / (q->n - p->n)
 *   + q->n / q->seconds (x - p->n) / (q->n - p->n)
 * over a common denominator. Each product is kept as a rounded value and a
 * remainder, together 128 bits.
 */
static long double
slow_speed(const struct point *p, const struct point *q, long double x)
{
	long double a = q->n - x, b = x - p->n;
	long double A = (long double)p->n * q->seconds;
	long double B = (long double)q->n * p->seconds;
	long double low = fmal(p->n, q->seconds, -A) * a +
	    fmal(q->n, p->seconds, -B) * b;
	long double Aa = A * a, Bb = B * b;

	low += fmal(A, a, -Aa) + fmal(B, b, -Bb);
	return (Aa + Bb + low) / (a + b) / p->seconds / q->seconds;
}

/*
 * Returns x / s(x), where the speed s lies on the line through points i - 1 and
 * i (Lastovetsky and Reddy 2007, section 3.1). Let u be the relative distance
 * from the point with the shorter time t0. Then the result is t0 + (t1 - t0) u
 * s1/s. In this form the rounding error is relative to the added term, so the
 * computed time is monotonic.
 */
static long double
piece_time(const struct curve *c, uint32_t i, long double x)
{
	const struct point *p = &c->point[i - 1], *q = &c->point[i];
	long double u = (x - p->n) / (q->n - p->n);
	long double s0 = speed_at(p), s1 = speed_at(q), s = s0 + (s1 - s0) * u;

	/*
	 * At speeds below s0 / 256, slow_speed has smaller rounding errors than
	 * the usual formula. The computed time must also rise at the size where
	 * the formula changes. It does: from one size to the next, the time
	 * rises by much more than the rounding errors by which the formulas
	 * differ.
	 */
	if (s < s0 / 256)
		s = slow_speed(p, q, x);
	if (s <= 0)
		return INFINITY;
	if (q->seconds < p->seconds)
		return q->seconds +
		    ((long double)p->seconds - q->seconds) * (1 - u) * s0 / s;
	return p->seconds + ((long double)q->seconds - p->seconds) * u * s1 / s;
}

/*
 * Returns by how much the speed changes per item on the line through the last
 * two points.
 */
static long double
last_slope(const struct curve *c)
{
	const struct point *q = &c->point[c->npoints - 1], *p = q - 1;

	return (speed_at(q) - speed_at(p)) / (q->n - p->n);
}

static long double
points_time(const struct curve *c, double x)
{
	uint32_t i = piece(c, x), last = c->npoints - 1;
	const struct point *p = &c->point[i <= last ? i : last];

	if (i == 0 || x == p->n)
		return (long double)x * p->seconds / p->n;
	if (i <= last)
		return piece_time(c, i, x);
	switch (c->beyond) {
	case BEYOND_STOP:
		return INFINITY;
	case BEYOND_LINEAR:
		if (last > 0)
			return piece_time(c, last, x);
		break;
	case BEYOND_CONST:
		break;
	}
	return (long double)x * p->seconds / p->n;
}

double
curve_time_real(const struct curve *c, double x)
{
	long double t = c->point != NULL ? points_time(c, x)
					 : cost_at(c->cost, x) / c->speed;

	t += c->latency_s + (long double)x * c->seconds_per_item;
	return (double)t;
}

double
curve_time(const struct curve *c, uint64_t n)
{
	if (n == 0)
		return 0;
	return n > c->capacity ? INFINITY : curve_time_real(c, (double)n);
}

double
curve_speed(const struct curve *c, double n)
{
	if (c->point == NULL)
		return c->speed;
	return n > 0 ? (double)(n / points_time(c, n))
		     : c->point[0].n / c->point[0].seconds;
}

bool
curve_extrapolates(const struct curve *c, uint64_t n)
{
	return c->measured > 0 && (double)n > c->measured;
}

uint64_t
curve_limit(const struct curve *c)
{
	uint64_t limit = c->capacity;
	const struct point *last;
	long double slope;
	double zero;

	if (limit > CURVE_MOST)
		limit = CURVE_MOST;
	if (c->point == NULL || c->beyond == BEYOND_CONST)
		return limit;
	last = &c->point[c->npoints - 1];
	if (c->beyond == BEYOND_STOP)
		return last->n < (double)limit ? (uint64_t)last->n : limit;
	if (c->npoints == 1)
		return limit;
	if ((slope = last_slope(c)) >= 0)
		return limit;
	zero = (double)(last->n - speed_at(last) / slope);
	/*
	 * `zero` is the size at which the speed becomes 0. Rounding may have
	 * changed it by less than 1.
	 */
	if (zero + 1 < (double)limit)
		limit = (uint64_t)zero + 1;
	while (limit > 0 && isinf(curve_time_real(c, (double)limit)))
		limit--;
	return limit;
}

size_t
curve_falls(const struct curve *c)
{
	for (uint32_t i = 1; i < c->npoints; i++)
		if (c->point[i].seconds < c->point[i - 1].seconds)
			return i;
	return 0;
}

void
curve_lift(struct curve *c)
{
	for (uint32_t i = 1; i < c->npoints; i++)
		c->point[i].seconds = fmax(
		    c->point[i].seconds, c->point[i - 1].seconds);
}

/*
 * Returns whether n items take at most the time T, or less than T if `strict`
 * is set. Computes in doubles, and in long doubles only if the two times are
 * nearly equal.
 */
static bool
in_time(const struct curve *c, uint64_t n, double T, bool strict)
{
	double t;

	if (c->point == NULL) {
		t = cost_about(c->cost, (double)n) / c->speed + c->latency_s +
		    (double)n * c->seconds_per_item;
		if (fabs(t - T) > 1e-13 * T)
			return t < T && n <= c->capacity;
	}
	t = curve_time(c, n);
	return strict ? t < T : t <= T;
}

/*
 * Returns the largest n whose time is at most T, or less than T if `strict` is
 * set. Searches from `near` in growing steps, then by bisection. n = 0 is
 * always in time.
 */
static uint64_t
last_in_time(const struct curve *c, double T, bool strict, uint64_t near)
{
	uint64_t limit = curve_limit(c), lo, hi, step = 1;

	if (near > limit)
		near = limit;
	if (near == 0 || in_time(c, near, T, strict)) {
		for (lo = near;; lo = hi, step *= 2) {
			if (lo == limit)
				return limit;
			hi = limit - lo > step ? lo + step : limit;
			if (!in_time(c, hi, T, strict))
				break;
		}
	} else {
		for (hi = near;; hi = lo, step *= 2) {
			lo = hi > step ? hi - step : 0;
			if (lo == 0 || in_time(c, lo, T, strict))
				break;
		}
	}
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (in_time(c, mid, T, strict))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

uint64_t
curve_upto(const struct curve *c, double T, uint64_t near)
{
	return last_in_time(c, T, false, near);
}

uint64_t
curve_below(const struct curve *c, double T, uint64_t near)
{
	return last_in_time(c, T, true, near);
}

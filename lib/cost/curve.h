#ifndef HP_COST_CURVE_H
#define HP_COST_CURVE_H

/*
 * A node's time t(n) for n items, in one of two models. A shared cost function
 * is divided by the node's relative speed. Or the speed n/seconds is
 * interpolated linearly between measured points (the functional performance
 * model of Lastovetsky and Reddy 2007). Both models add a start-up latency and
 * a transport time per item, and have a capacity.
 *
 * t(0) = 0. Times are evaluated in long double and rounded to double once. So
 * rounding never makes t decrease over the integers up to 2^53. And equal times
 * of different nodes compare equal.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/size.h"
#include "cost/cost.h"

/* The largest number of items. It is the capacity of a node without a limit. */
#define CURVE_MOST COUNT_MOST

struct point {
	double n;	/* items, a positive integer */
	double seconds; /* above 0 */
	/* times of the fastest and of the slowest run; 0: not given */
	double low, high;
};

enum beyond {
	BEYOND_CONST,  /* the speed of the last point */
	BEYOND_LINEAR, /* extend the last segment until its speed is 0 */
	BEYOND_STOP    /* the last point is the capacity */
};

/* Parses const, linear or stop. Returns -1 for anything else. */
int beyond_parse(const char *, enum beyond *);
const char *beyond_text(enum beyond);

struct curve {
	/*
	 * measured points, sorted by increasing n; NULL: the time is cost /
	 * speed
	 */
	struct point *point;
	uint32_t npoints;
	enum beyond beyond;
	/* largest number of items that was measured; 0: none */
	double measured;
	double speed;	   /* relative speed; 0: unknown */
	uint64_t capacity; /* most items; CURVE_MOST: no limit */
	double latency_s;  /* start-up time in seconds, added once if n > 0 */
	double seconds_per_item;
	/* the cost function that speed divides; borrowed */
	const struct cost *cost;
};

/* Makes a curve without points, with speed 0 and without a limit. */
void curve_init(struct curve *);
void curve_fini(struct curve *);

/* Takes ownership of the array of points. */
void curve_set_points(struct curve *, struct point *, size_t n);

/* Returns whether the curve has a model: measured points or a speed. */
bool curve_known(const struct curve *);

/*
 * Returns the largest number of items that the node can take. The limit follows
 * from its capacity and from `beyond`.
 */
uint64_t curve_limit(const struct curve *);

/*
 * Returns t(n) in seconds, or in units of the cost function if speeds are
 * relative. Infinity above the limit. O(log points).
 */
double curve_time(const struct curve *, uint64_t n);
/* Returns t(x) for a real x above 0. Ignores the capacity. */
double curve_time_real(const struct curve *, double x);

/*
 * Returns the index of the first point that takes less time than the point
 * before it, or 0 if t does not decrease. t is monotonic within each segment,
 * so checking the points suffices.
 */
size_t curve_falls(const struct curve *);

/*
 * Return max {n : t(n) <= T} and max {n : t(n) < T}, at most the limit,
 * consistent with curve_time to the last bit. t must not decrease. The search
 * starts at near and takes O(log |n - near|) evaluations.
 */
uint64_t curve_upto(const struct curve *, double T, uint64_t near);
uint64_t curve_below(const struct curve *, double T, uint64_t near);

/*
 * Returns the real x with t(x) = T, at most the limit, accurate to about double
 * precision. Stores the derivative of x by T in *slope unless slope is NULL.
 * Good enough to bracket a search.
 */
double curve_inverse(const struct curve *, double T, double *slope);

/*
 * Returns the interpolated speed at n in items per second. Without points,
 * returns the relative speed.
 */
double curve_speed(const struct curve *, double n);

/* Returns whether n exceeds the sizes that were measured. */
bool curve_extrapolates(const struct curve *, uint64_t n);

#endif

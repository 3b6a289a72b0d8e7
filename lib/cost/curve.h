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

/*
 * The largest number of items in a plan. It is also the capacity of a node for
 * which no limit is given.
 */
#define CURVE_MOST COUNT_MOST

struct point {
	double n;	/* items, a positive integer */
	double seconds; /* above 0 */
	/* times of the fastest and of the slowest measurement; 0: not given */
	double low, high;
};

enum beyond {
	BEYOND_CONST, /* the speed of the last point */
	/*
	 * the speed follows the line through the last two points until it is 0
	 */
	BEYOND_LINEAR,
	BEYOND_STOP /* the last point is the capacity */
};

/* Parses the word const, linear or stop. Returns -1 for any other word. */
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
	/* largest number of items that was measured; 0: nothing was measured */
	double measured;
	double speed;	   /* relative speed; 0: unknown */
	uint64_t capacity; /* most items; CURVE_MOST: no limit */
	double latency_s;  /* start-up time in seconds, added once if n > 0 */
	double seconds_per_item;
	/* the cost function that speed divides; borrowed */
	const struct cost *cost;
};

/*
 * Makes a curve without measured points, with unknown speed and without a
 * limit.
 */
void curve_init(struct curve *);
void curve_fini(struct curve *);

/* Takes ownership of the array of points. */
void curve_set_points(struct curve *, struct point *, size_t n);

/*
 * Returns whether the time of the node is known: from measured points or from a
 * speed.
 */
bool curve_known(const struct curve *);

/*
 * Returns the largest number of items that the node can process: its capacity,
 * or less. It is less if the member `beyond` excludes sizes above the largest
 * measured one, or if the extrapolated speed falls to 0.
 */
uint64_t curve_limit(const struct curve *);

/*
 * Returns the time of n items in seconds (if speeds are relative, in units of
 * the cost function). Returns infinity if the node cannot take n items. O(log
 * points).
 */
double curve_time(const struct curve *, uint64_t n);
/*
 * Returns the time of x items, where x is a real number above 0. Does not check
 * whether x exceeds the capacity of the node.
 */
double curve_time_real(const struct curve *, double x);

/*
 * Returns the index of the first measured point with a shorter time than the
 * point before it. Returns 0 if there is none: then the time never decreases,
 * because it is monotonic between two points.
 */
size_t curve_falls(const struct curve *);
/*
 * Raises each measured time that is below the time of fewer items to that time.
 * Afterwards the time never decreases.
 */
void curve_lift(struct curve *);

/*
 * Return the largest n whose time is at most T (curve_upto) or less than T
 * (curve_below). n is never more than the node can take. The results agree
 * exactly with curve_time. The time must not decrease as n grows. The search
 * begins at `near` and takes O(log |n - near|) evaluations.
 */
uint64_t curve_upto(const struct curve *, double T, uint64_t near);
uint64_t curve_below(const struct curve *, double T, uint64_t near);

/*
 * Returns the speed at n in items per second, interpolated between the measured
 * points. If there are none, returns the relative speed.
 */
double curve_speed(const struct curve *, double n);

/* Returns whether n is larger than all measured sizes. */
bool curve_extrapolates(const struct curve *, uint64_t n);

#endif

#ifndef HP_COST_CURVE_H
#define HP_COST_CURVE_H

/*
 * What a node needs for n items, t(n): either a shared cost function divided by
 * the node's relative speed, or a line of measured points between which the
 * speed n/seconds is interpolated linearly (the functional performance model of
 * Lastovetsky and Reddy 2007).  On top of either come the time to get started,
 * the time to bring each item there and back, and the most items it can hold.
 *
 * t(0) = 0.  Times are evaluated in long double and rounded to double once, so
 * that t is non-decreasing over the integers up to 2^53 where the model is, and
 * so that equal times of unlike nodes come out as equal doubles.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/size.h"
#include "cost/cost.h"

/* The most items there are: the capacity of a node without a limit. */
#define CURVE_MOST COUNT_MOST

struct point {
	double n;	/* items, a positive integer */
	double seconds; /* above 0 */
};

enum beyond {
	BEYOND_CONST,  /* the speed of the last point */
	BEYOND_LINEAR, /* the last piece goes on, at most to speed 0 */
	BEYOND_STOP    /* the last point is the capacity */
};

/* const, linear or stop; -1 for anything else. */
int beyond_parse(const char *, enum beyond *);
const char *beyond_text(enum beyond);

struct curve {
	struct point *point; /* n increasing; NULL: by speed */
	uint32_t npoints;
	enum beyond beyond;
	double measured;   /* the most items of a point; 0: none */
	double speed;	   /* relative; 0: not known */
	uint64_t capacity; /* CURVE_MOST: no limit */
	double latency_s;  /* once, when n > 0 */
	double seconds_per_item;
	const struct cost *cost; /* what speed divides; borrowed */
};

/* A curve of nothing: no points, speed 0, no limit. */
void curve_init(struct curve *);
void curve_fini(struct curve *);

/* Takes over the storage of the points. */
void curve_set_points(struct curve *, struct point *, size_t n);

/*
 * Measured points, else speed and cost: is there a model at all?
 */
bool curve_known(const struct curve *);

/* The most items that the node can take, beyond and capacity considered. */
uint64_t curve_limit(const struct curve *);

/*
 * t(n) in seconds (or units of the cost function); infinite above the limit.
 * O(log points).
 */
double curve_time(const struct curve *, uint64_t n);
/* The same at a real x above 0, the capacity not considered. */
double curve_time_real(const struct curve *, double x);

/*
 * Index of the first point that takes less time than the one before, 0 when t
 * does not fall.  Within a piece, and where the last one goes on, t goes as
 * from point to point.
 */
size_t curve_falls(const struct curve *);

/*
 * max {n : t(n) <= T} and max {n : t(n) < T}, at most the limit; t must not
 * fall.  Exactly by curve_time.  near is a guess, and the cost is
 * O(log |n - near|) times.
 */
uint64_t curve_upto(const struct curve *, double T, uint64_t near);
uint64_t curve_below(const struct curve *, double T, uint64_t near);

/*
 * The real x with t(x) = T, at most the limit, to double precision or so; and
 * its derivative by T if slope is not NULL.  For bracketing a search.
 */
double curve_inverse(const struct curve *, double T, double *slope);

/* Items a second at n, as interpolated; of a node by speed, the speed. */
double curve_speed(const struct curve *, double n);

/* Are n items more than were measured? */
bool curve_extrapolates(const struct curve *, uint64_t n);

#endif

#ifndef HP_COST_WITHIN_H
#define HP_COST_WITHIN_H

/*
 * Times of any shape: which numbers of items a node can do in a given time.
 */

#include "cost/curve.h"

struct range {
	uint64_t lo, hi; /* both included */
};

/* Room for all ranges of a curve, those that touch not yet joined. */
size_t curve_ranges(const struct curve *);

/*
 * {n : t(n) <= T}, at most the limit, as ranges in ascending order that do not
 * touch; the first begins with 0.  Returns how many, at most curve_ranges.
 * t is split where it turns: between two points the time goes one way, but for
 * one that falls while the time for transport grows, which has a lowest place.
 * O(points + log n for each piece that T cuts).
 */
size_t curve_within(const struct curve *, double T, struct range *);

#endif

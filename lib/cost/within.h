#ifndef HP_COST_WITHIN_H
#define HP_COST_WITHIN_H

/*
 * Finds all sizes that a node can finish by a given time, as ranges. The time
 * may rise and fall with the size.
 */

#include "cost/curve.h"

struct range {
	uint64_t lo, hi; /* both included */
};

/* Returns how many ranges curve_within stores at most. */
size_t curve_ranges(const struct curve *);

/*
 * Stores the set {n : t(n) <= T}, up to the limit, as ascending ranges with
 * gaps between them. The first range begins at 0. Returns their number, at most
 * curve_ranges. The search splits t into monotonic pieces. A segment between
 * two points is monotonic, with one exception: a decreasing segment plus the
 * transport time has a minimum inside. O(points + log n for each piece that T
 * cuts).
 */
size_t curve_within(const struct curve *, double T, struct range *);

#endif

#ifndef HP_SPLIT_DEMAND_H
#define HP_SPLIT_DEMAND_H

/*
 * Computes how many candidates the papers' methods (psrs, pss, psop) require
 * for a plan. Their formulas use P', the sum of an integer performance vector.
 * This vector is derived from the plan's shares, so that every plan has one.
 */

#include <stddef.h>
#include <stdint.h>

/*
 * Computes the smallest integer vector that is proportional to the shares
 * within 5%. If there is none, takes the nearest vector that was tried. The sum
 * is about 256 at most. A share that is too small for this counts as 1, an
 * empty share as 0. Returns the sum, P'. O(16 p).
 */
uint64_t demand_performance(const uint64_t *share, size_t p, uint64_t *vector);

enum demand_method {
	DEMAND_PSS,  /* 6 P' log2 P' */
	DEMAND_PSRS, /* P' (p - 1) */
	DEMAND_PSOP, /* 4 P'^2 log2 P' */
	DEMAND_EXACT /* not from the literature: see split/exact.h */
};

/*
 * Returns the number of candidates of all nodes together by the published
 * formula, rounded down. Not for DEMAND_EXACT.
 */
uint64_t demand_candidates(enum demand_method, uint64_t sum, size_t p);
/*
 * Returns the number of sublists for over-partitioning: P' k with k = 4 log2
 * P', at least P'.
 */
uint64_t demand_sublists(uint64_t sum);
/*
 * Returns how many of the candidates a node with n of `total` records provides,
 * rounded up.
 */
uint64_t demand_part(uint64_t candidates, uint64_t n, uint64_t total);

/*
 * Returns a lower bound of the probability that random pivots leave no sublist
 * larger than 1/P' of the input: 1 - 2P' (1 - 1/(2P'))^pivots, or 0 (Li and
 * Sevcik 1994, with the exponent corrected).
 */
double demand_probability(uint64_t sum, uint64_t pivots);

#endif

#ifndef HP_SPLIT_DEMAND_H
#define HP_SPLIT_DEMAND_H

/*
 * How many candidates the papers ask for.  They count in P', the sum of an
 * integer performance vector; ours comes from the shares, so that any plan has
 * one.
 */

#include <stddef.h>
#include <stdint.h>

/*
 * The smallest integer vector that is within 5 % of proportional to the
 * shares, or else the nearest one that was seen; its sum is about 256 at most,
 * and a share too small for that counts as 1, as an empty one counts as 0.
 * Returns the sum, P'.  O(16 p).
 */
uint64_t demand_performance(const uint64_t *share, size_t p, uint64_t *vector);

enum demand_method {
	DEMAND_PSS,  /* 6 P' log2 P' */
	DEMAND_PSRS, /* P' (p - 1) */
	DEMAND_PSOP, /* 4 P'^2 log2 P' */
	DEMAND_EXACT /* not of the papers: split/exact.h */
};

/*
 * Candidates of all nodes together, but for DEMAND_EXACT; the papers' numbers,
 * rounded down.
 */
uint64_t demand_candidates(enum demand_method, uint64_t sum, size_t p);
/* Sublists of over-partitioning: P' k with k = 4 log2 P', at least P'. */
uint64_t demand_sublists(uint64_t sum);
/* The part of one node with n of total records, rounded up. */
uint64_t demand_part(uint64_t candidates, uint64_t n, uint64_t total);

/*
 * The least probability that random pivots leave no sublist larger than 1/P'
 * of the input: 1 - 2P' (1 - 1/(2P'))^pivots, or 0 (Li, Sevcik 1994, with the
 * exponent that belongs there).
 */
double demand_probability(uint64_t sum, uint64_t pivots);

#endif

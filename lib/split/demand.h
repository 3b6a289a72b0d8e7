#ifndef HP_SPLIT_DEMAND_H
#define HP_SPLIT_DEMAND_H

/*
 * Computes how many candidates for pivots the published methods (psrs, pss,
 * psop) need. Their formulas use P', the sum of an integer vector of the nodes'
 * performance. The vector is computed from the shares of the plan, so it exists
 * for every plan.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Computes small integers that have about the same ratios as the shares: each
 * is within 5% of the exact ratio, if possible. Stores them in `vector`, and
 * returns their sum, called P'. The sum is at most about 256. A very small
 * share gives 1, a share of 0 gives 0. O(16 p).
 */
uint64_t demand_performance(const uint64_t *share, size_t p, uint64_t *vector);

enum demand_method {
	DEMAND_PSS,   /* 6 P' log2 P' */
	DEMAND_PSRS,  /* P' (p - 1) */
	DEMAND_PSOP,  /* 4 P'^2 log2 P' */
	DEMAND_EXACT, /* not from the literature: see split/exact.h */
	DEMAND_RANGE  /* none: the input is divided before (partition.h) */
};

/* Reads the name of a method: exact, psrs, pss, psop or range. */
int demand_parse(const char *name, enum demand_method *, struct hp_err *);
const char *demand_name(enum demand_method);
/*
 * Tells whether each node sorts its part before the exchange (exact, psrs).
 * With the other methods, each node sorts the records that it receives.
 */
bool demand_sorts_first(enum demand_method);

/*
 * Returns how many candidates for pivots all nodes together must provide. The
 * comments in enum demand_method give the formulas; `sum` is their P'. The
 * result is rounded down. Not for DEMAND_EXACT and DEMAND_RANGE.
 */
uint64_t demand_candidates(enum demand_method, uint64_t sum, size_t p);
/*
 * Over-partitioning divides the records into more sublists than nodes. Returns
 * the number of sublists: 4 S log2 S, but at least S. S is the argument `sum`,
 * the result of demand_performance.
 */
uint64_t demand_sublists(uint64_t sum);
/*
 * Returns how many of the candidates a node with n of `total` records must
 * provide. The result is rounded up.
 */
uint64_t demand_part(uint64_t candidates, uint64_t n, uint64_t total);

/*
 * Returns a lower bound of the probability that randomly chosen pivots are
 * good: no sublist gets more than 1/P' of the input. P' is `sum`, the result of
 * demand_performance. The bound is 1 - 2P' (1 - 1/(2P'))^pivots, or 0 if that
 * is negative (Li and Sevcik 1994, with the exponent corrected).
 */
double demand_probability(uint64_t sum, uint64_t pivots);

#endif

#ifndef HP_GEN_ZIPF_H
#define HP_GEN_ZIPF_H

/*
 * Zipf's distribution: k from 1 to n with probability proportional to
 * k^-exponent, by rejection-inversion (Hörmann and Derflinger 1996). Exact up
 * to rounding, without tables, and O(1) for any n.
 */

#include <stdint.h>

#include "gen/random.h"

struct zipf {
	double exponent, n;
	/*
	 * The sampler (rejection from a hat function) draws a random number
	 * between these two. The number is an area under the hat function, an
	 * upper bound of the probabilities.
	 */
	double low, high;
	/*
	 * x is the real number drawn, and k is x rounded to an integer. If k
	 * exceeds x by at most `sure`, the sampler returns k without a
	 * rejection test.
	 */
	double sure;
};

/*
 * Prepares the distribution. exponent must be at least 0, and n from 1 to 2^53.
 */
void zipf_init(struct zipf *, double exponent, uint64_t n);
uint64_t zipf_next(const struct zipf *, struct random *);

#endif

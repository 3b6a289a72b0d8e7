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
	 * A random area of the hat function (an upper bound of the
	 * probabilities) is drawn between these two.
	 */
	double low, high;
	/*
	 * If the real number drawn is nearer to its rounded value k than this,
	 * k is accepted without a test.
	 */
	double sure;
};

/*
 * Prepares the distribution. exponent must be at least 0, and n from 1 to 2^53.
 */
void zipf_init(struct zipf *, double exponent, uint64_t n);
uint64_t zipf_next(const struct zipf *, struct random *);

#endif

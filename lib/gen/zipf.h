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
	/* The range of hat areas from which a value is drawn. */
	double low, high;
	/* A point closer to k than this distance is accepted without a test. */
	double sure;
};

/* Sets up the distribution; exponent >= 0, n from 1 to 2^53. */
void zipf_init(struct zipf *, double exponent, uint64_t n);
uint64_t zipf_next(const struct zipf *, struct random *);

#endif

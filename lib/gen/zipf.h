#ifndef HP_GEN_ZIPF_H
#define HP_GEN_ZIPF_H

/*
 * Zipf's distribution: k from 1 to n with a probability in proportion to
 * k^-exponent, by rejection-inversion (Hörmann and Derflinger 1996): exact up
 * to the rounding of doubles, without tables, and O(1) whatever n is.
 */

#include <stdint.h>

#include "gen/random.h"

struct zipf {
	double exponent, n;
	double low, high; /* of the area that is inverted */
	double sure;	  /* left of this a point is accepted unseen */
};

/* exponent >= 0, n from 1 to 2^53. */
void zipf_init(struct zipf *, double exponent, uint64_t n);
uint64_t zipf_next(const struct zipf *, struct random *);

#endif

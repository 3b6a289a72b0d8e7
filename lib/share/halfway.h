#ifndef HP_SHARE_HALFWAY_H
#define HP_SHARE_HALFWAY_H

#include <stdint.h>
#include <string.h>

/*
 * Halfway between two doubles, 0 <= lo < hi, in the number of doubles between
 * them, so that 64 halvings end any search.
 */
static inline double
halfway(double lo, double hi)
{
	uint64_t a, b;
	double mid;

	memcpy(&a, &lo, sizeof a);
	memcpy(&b, &hi, sizeof b);
	a += (b - a) / 2;
	memcpy(&mid, &a, sizeof mid);
	return mid;
}

#endif

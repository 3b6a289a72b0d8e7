#ifndef HP_SHARE_HALFWAY_H
#define HP_SHARE_HALFWAY_H

#include <stdint.h>
#include <string.h>

/*
 * Returns the double in the middle between lo and hi if one counts doubles, for
 * 0 <= lo < hi. So bisection takes at most 64 steps.
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

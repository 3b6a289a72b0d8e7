#ifndef HP_SHARE_HALFWAY_H
#define HP_SHARE_HALFWAY_H

#include <stdint.h>
#include <string.h>

/*
 * Returns the middle one of all doubles from lo to hi, for 0 <= lo < hi. With
 * it, bisection takes at most 64 steps.
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

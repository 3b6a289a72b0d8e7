#ifndef HP_BASE_RANDOM_H
#define HP_BASE_RANDOM_H

/*
 * SplitMix64 (Steele, Lea and Flood 2014). The state is a counter, so any seed
 * is good and any position of the sequence can be reached at once.
 */

#include <stdint.h>

/*
 * 2^64 divided by the golden ratio, rounded to an odd number. The counter of
 * the generator grows by this step.
 */
#define RANDOM_STEP 0x9e3779b97f4a7c15u

struct random {
	uint64_t state;
};

/*
 * Mixes the bits of z: a bijection in which each bit of the result depends on
 * all bits of z.
 */
static inline uint64_t
random_mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline uint64_t
random_next(struct random *r)
{
	return random_mix(r->state += RANDOM_STEP);
}

#endif

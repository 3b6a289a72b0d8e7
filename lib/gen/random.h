#ifndef HP_GEN_RANDOM_H
#define HP_GEN_RANDOM_H

/*
 * Random numbers that depend only on a seed and the number of a record. So any
 * part of a data set can be generated without the rest.
 */

#include "base/random.h"

/* Returns the random sequence of one record. */
static inline struct random
random_of(uint64_t seed, uint64_t record)
{
	uint64_t start = random_mix(seed + RANDOM_STEP);

	return (
	    struct random){ random_mix(start + (record + 1) * RANDOM_STEP) };
}

/* Returns a random number from 0 to n - 1. All of them are equally likely. */
static inline uint64_t
random_below(struct random *r, uint64_t n)
{
	return (uint64_t)((unsigned __int128)random_next(r) * n >> 64);
}

/* Returns a random number from 0 to 1, but never 1. */
static inline double
random_unit(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

#endif

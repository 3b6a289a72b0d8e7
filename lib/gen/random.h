#ifndef HP_GEN_RANDOM_H
#define HP_GEN_RANDOM_H

/*
 * Random numbers that are a function of a seed and a record's number, so that
 * any part of a data set can be made anywhere, without the parts before it.
 */

#include "base/random.h"

/* The numbers of one record, as many as it takes. */
static inline struct random
random_of(uint64_t seed, uint64_t record)
{
	uint64_t start = random_mix(seed + RANDOM_STEP);

	return (
	    struct random){ random_mix(start + (record + 1) * RANDOM_STEP) };
}

/* Uniform in [0, n). */
static inline uint64_t
random_below(struct random *r, uint64_t n)
{
	return (uint64_t)((unsigned __int128)random_next(r) * n >> 64);
}

/* Uniform in [0, 1). */
static inline double
random_unit(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

#endif

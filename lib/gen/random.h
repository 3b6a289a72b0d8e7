#ifndef HP_GEN_RANDOM_H
#define HP_GEN_RANDOM_H

/*
 * Random numbers that are a function of a seed and a record's number, so that
 * any part of a data set can be made anywhere, without the parts before it:
 * splitmix64 (Steele, Lea and Flood 2014), whose state is a counter.
 */

#include <stdint.h>

static inline uint64_t
random_mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* The numbers of one record, as many as it takes. */
struct random {
	uint64_t state;
};

static inline struct random
random_of(uint64_t seed, uint64_t record)
{
	uint64_t start = random_mix(seed + 0x9e3779b97f4a7c15);

	return (struct random){ random_mix(
	    start + (record + 1) * 0x9e3779b97f4a7c15) };
}

static inline uint64_t
random_next(struct random *r)
{
	return random_mix(r->state += 0x9e3779b97f4a7c15);
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

#ifndef HP_NUMBERS_DENSE_H
#define HP_NUMBERS_DENSE_H

/*
 * A range of so few values that to count each of them costs less than to move
 * the numbers: counting sort, of what most of a sample lies in.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dense {
	uint64_t low;
	size_t values; /* from low on; 0: there is no such range */
};

/*
 * At most `most` values, both powers of two, that at least half of n sorted
 * sample keys lie in, with as much room on both sides as they span if that is
 * left; no values when there is no such range.
 */
struct dense dense_choose(const uint64_t *sample, size_t n, size_t most);

/* Is it in the range? */
static inline bool
dense_has(const struct dense *d, uint64_t key)
{
	return key - d->low < d->values;
}

#endif

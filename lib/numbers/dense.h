#ifndef HP_NUMBERS_DENSE_H
#define HP_NUMBERS_DENSE_H

/*
 * Chooses a range for counting sort. The range contains most numbers but few
 * values, so that counting each value is faster than moving the numbers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dense {
	uint64_t low;
	/* number of values, beginning with `low`; 0: no range was found */
	size_t values;
};

/*
 * Chooses a range that contains at least half of n sorted sample keys. The
 * range is first extended on both sides by its own width, if `most` allows. Its
 * number of values is then a power of two and at most `most`, which must be a
 * power of two. If there is no such range, returns one without values.
 */
struct dense dense_choose(const uint64_t *sample, size_t n, size_t most);

/* Returns whether the key lies in the range. */
static inline bool
dense_has(const struct dense *d, uint64_t key)
{
	return key - d->low < d->values;
}

#endif

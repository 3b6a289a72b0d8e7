#ifndef HP_NUMBERS_DENSE_H
#define HP_NUMBERS_DENSE_H

/*
 * Chooses a range of values for counting sort: a range with few values that
 * contains most of the numbers. Counting these numbers is faster than sorting
 * them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dense {
	uint64_t low;
	/*
	 * The range has this many successive integers, beginning with `low`. 0:
	 * there is no range.
	 */
	size_t values;
};

/*
 * Chooses a range of integers that contains at least half of the n sorted
 * sample keys. The size of the range is a power of two and at most `most`. If
 * `most` allows, the range is at least three times as wide as the distance
 * between its smallest and largest sample key. Returns a range with 0 values if
 * no range contains enough sample keys.
 */
struct dense dense_choose(const uint64_t *sample, size_t n, size_t most);

/* Returns whether the key lies in the range of values. */
static inline bool
dense_has(const struct dense *d, uint64_t key)
{
	return key - d->low < d->values;
}

#endif

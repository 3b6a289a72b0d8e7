#ifndef HP_NUMBERS_DENSE_H
#define HP_NUMBERS_DENSE_H

/*
 * The choice of a range for counting sort: one that has most numbers but few
 * values, so that counting each value is faster than moving the numbers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dense {
	uint64_t low;
	size_t values; /* from low on; 0: there is no such range */
};

/*
 * A range that has at least half of n sorted keys of a sample.  Its number of
 * values is a power of two and at most `most`, which is one, too.  On both
 * sides it has as much room as these keys span, if `most` allows.  No values if
 * there is no such range.
 */
struct dense dense_choose(const uint64_t *sample, size_t n, size_t most);

/* Is it in the range? */
static inline bool
dense_has(const struct dense *d, uint64_t key)
{
	return key - d->low < d->values;
}

#endif

#ifndef HP_KERNEL_SPREAD_H
#define HP_KERNEL_SPREAD_H

/*
 * A spread distributes keys over buckets in key order, and evenly for any
 * distribution of keys. A sample gives the bounds between the buckets. The
 * range of the sample is divided into many cells of equal size. A table tells
 * which bounds lie in a cell, and a key is compared only with the bounds in its
 * cell. If the keys are evenly spread, most cells contain no bound: then a
 * shift and a lookup find the bucket, as in a radix sort. Printable or skewed
 * keys need a few comparisons. A value that would fill a bucket gets a bucket
 * of its own (the equality buckets of super scalar sample sort, Sanders and
 * Winkel 2004).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/grid.h"

enum {
	/*
	 * Flag of a cell: one or more bounds between buckets lie in the cell,
	 * so a key in it must be compared with the bounds.
	 */
	SPREAD_SEARCH = 0x8000,
	SPREAD_MOST = 1 << 11 /* most buckets to ask for */
};

struct spread {
	struct grid grid;
	size_t buckets;
	/*
	 * `grid` divides the range of the keys into cells of equal size.
	 * cell[c] is the number of the bucket in which cell c begins. The array
	 * has one element more than the grid has cells.
	 */
	uint16_t *cell;
	uint64_t *bound; /* smallest key of each bucket except the first one */
	/* true if all keys of the bucket are equal to `bound` */
	bool *equal;
};

/*
 * Sorts n sample keys and chooses the bounds between about `want` buckets. If
 * want is 1, n may be 0; then all keys belong to one bucket. A bucket gets at
 * most twice its share of the sample, unless all its keys are equal.
 */
int spread_init(
    struct spread *, uint64_t *sample, size_t n, size_t want, struct hp_err *);
void spread_fini(struct spread *);

/*
 * Returns how many of n sorted bounds are less than or equal to the key.
 * Compiles to code without branches.
 */
static inline size_t
spread_search(const uint64_t *bound, size_t n, uint64_t key)
{
	const uint64_t *at = bound;

	while (n > 1) {
		at += at[n / 2 - 1] <= key ? n / 2 : 0;
		n -= n / 2;
	}
	return (size_t)(at - bound) + (*at <= key);
}

static inline size_t
spread_bucket(const struct spread *s, uint64_t key)
{
	size_t c = grid_cell(&s->grid, key), b = s->cell[c], end;

	if (b & SPREAD_SEARCH) {
		b ^= SPREAD_SEARCH;
		end = s->cell[c + 1] & ~(size_t)SPREAD_SEARCH;
		b += spread_search(s->bound + b + 1, end - b, key);
	}
	return b;
}

#endif

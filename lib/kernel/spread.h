#ifndef HP_KERNEL_SPREAD_H
#define HP_KERNEL_SPREAD_H

/*
 * Distributing keys over buckets in order, even ones whatever the keys are
 * like: the bounds between the buckets come from a sample, and a table of many
 * equal cells of the range that it spans tells which bounds a key is held
 * against: none for most keys that are spread evenly, so that such a key costs
 * a shift and a look into the table, as in a radix sort, and some for printable
 * or skewed ones.  A value that fills a bucket by itself gets one of its own
 * (the equality buckets of super scalar sample sort, Sanders and Winkel 2004).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/grid.h"

enum {
	SPREAD_SEARCH = 0x8000, /* in a cell: bounds lie in it */
	SPREAD_MOST = 1 << 11	/* buckets wanted */
};

struct spread {
	struct grid grid;
	size_t buckets;
	uint16_t *cell;	 /* the bucket that each begins in; one more */
	uint64_t *bound; /* the least key of a bucket; the first has none */
	bool *equal;	 /* holds its bound only */
};

/*
 * For n sample keys, which are sorted by this, and about `want` buckets; n may
 * be 0 and want 1, then all keys go to one bucket.  A bucket that is not equal
 * holds at most twice its share of the sample.
 */
int spread_init(
    struct spread *, uint64_t *sample, size_t n, size_t want, struct hp_err *);
void spread_fini(struct spread *);

/* How many of n sorted bounds are not above the key. */
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

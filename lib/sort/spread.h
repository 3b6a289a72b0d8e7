#ifndef HP_SORT_SPREAD_H
#define HP_SORT_SPREAD_H

/*
 * Distributing keys over buckets in order, even ones whatever the keys are
 * like: the range that a sample spans is cut into many equal cells, and
 * neighbouring cells make a bucket when together they hold their share of the
 * sample.  So a key costs a shift and a look into a table, as in a radix sort,
 * but printable or skewed keys fill the buckets as evenly as in a sample sort.
 * A value that fills a bucket by itself gets one of its own, in which nothing
 * is left to sort (the equality buckets of super scalar sample sort, Sanders
 * and Winkel 2004).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	SPREAD_HEAVY = 0x8000, /* in a cell: three buckets, by value */
	SPREAD_MOST = 1 << 11  /* buckets wanted */
};

struct spread {
	uint64_t low;
	unsigned shift;
	size_t cells, buckets;
	uint16_t *cell;	 /* the bucket of each cell */
	uint64_t *value; /* of the first of three buckets, the heavy value */
	bool *equal;	 /* holds one value only */
};

/*
 * For n sample keys, which are sorted by this, and about `want` buckets; n may
 * be 0 and want 1, then all keys go to one bucket.
 */
int spread_init(
    struct spread *, uint64_t *sample, size_t n, size_t want, struct hp_err *);
void spread_fini(struct spread *);

static inline size_t
spread_bucket(const struct spread *s, uint64_t key)
{
	uint64_t c = key <= s->low ? 0 : (key - s->low) >> s->shift;
	size_t b;

	c = c < s->cells ? c : s->cells - 1;
	b = s->cell[c];
	if (b & SPREAD_HEAVY) {
		b ^= SPREAD_HEAVY;
		b += (size_t)(key >= s->value[b]) + (key > s->value[b]);
	}
	return b;
}

#endif

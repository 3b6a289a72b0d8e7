#ifndef HP_NUMBERS_CELLS_H
#define HP_NUMBERS_CELLS_H

/*
 * Distributing numbers over buckets in order: the range that a sample spans is
 * cut into many equal cells, and neighbouring cells make a bucket when together
 * they hold their share of the sample.  So a number costs a shift and a look
 * into a table, as in a radix sort, but skewed ones fill the buckets nearly as
 * evenly as in a sample sort, and no branch depends on them.  A value that
 * fills a bucket by itself gets one of its own (the equality buckets of super
 * scalar sample sort, Sanders and Winkel 2004), the most frequent one of each
 * cell.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/grid.h"

enum {
	CELLS_MOST = 1 << 11, /* buckets wanted */
	CELLS_BEHIND = 3      /* cells that are read as 8 bytes have room */
};

struct cells {
	struct grid grid;
	size_t buckets;
	uint16_t *cell; /* the first bucket of each cell */
	bool heavy;	/* there are heavy values */
	/*
	 * Of the first of three buckets, the heavy value.  For the others it is
	 * UINT64_MAX, which has the last bucket to itself: so no branch has to
	 * tell them apart.
	 */
	uint64_t *value;
	bool *equal; /* holds one value only; one more that does not */
};

/*
 * For n sample keys, which are sorted by this, and about `want` buckets; n may
 * be 0 and want 1, then all keys go to one bucket.
 */
int cells_init(
    struct cells *, uint64_t *sample, size_t n, size_t want, struct hp_err *);
void cells_fini(struct cells *);

static inline size_t
cells_find(const struct cells *s, uint64_t key)
{
	size_t b = s->cell[grid_cell(&s->grid, key)];

	if (!s->heavy)
		return b;
	return b + (size_t)(key >= s->value[b]) + (key > s->value[b]);
}

/* bucket[i] = cells_find(s, key[i]) for n keys. */
void cells_place(
    const struct cells *s, const uint64_t *key, uint32_t *bucket, size_t n);

#endif

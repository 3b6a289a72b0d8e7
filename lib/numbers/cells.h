#ifndef HP_NUMBERS_CELLS_H
#define HP_NUMBERS_CELLS_H

/*
 * Distributing numbers over buckets, which are ranges of numbers, in order.
 *
 * The range of a sample is divided into many equal cells.  Neighbouring cells
 * make a bucket when they have a bucket's share of the sample.  To find the
 * bucket of a number takes a shift and a look into a table, as in a radix sort;
 * no branch depends on the number.  Yet skewed numbers fill the buckets nearly
 * as evenly as in a sample sort.
 *
 * A heavy value, which fills a bucket by itself, gets a bucket of its own. Each
 * cell can have one.  These are the equality buckets of super scalar sample
 * sort (Sanders and Winkel 2004).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/grid.h"

enum {
	CELLS_MOST = 1 << 11, /* buckets that may be asked for */
	CELLS_BEHIND = 3      /* more cells, as each is read with 8 bytes */
};

struct cells {
	struct grid grid;
	size_t buckets;
	uint16_t *cell; /* the first bucket of each cell */
	bool heavy;	/* there are heavy values */
	/*
	 * A cell with a heavy value has three buckets: below it, equal to it,
	 * above it.  value[] of the first one is the heavy value.  For all
	 * other buckets it is UINT64_MAX, which has the last bucket to itself,
	 * so that cells_find needs no branch.
	 */
	uint64_t *value;
	bool *equal; /* the bucket has one value only; false for one more */
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

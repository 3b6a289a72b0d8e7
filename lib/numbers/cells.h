#ifndef HP_NUMBERS_CELLS_H
#define HP_NUMBERS_CELLS_H

/*
 * Distributes numbers over buckets, which are ranges of numbers in order.
 *
 * The range of a sample is divided into many equal cells. Adjacent cells form a
 * bucket when they hold a bucket's share of the sample. A shift and a table
 * lookup find the bucket of a number, as in a radix sort, without a branch that
 * depends on the number. Yet skewed numbers fill the buckets nearly as evenly
 * as in a sample sort.
 *
 * A value that is frequent enough to fill a bucket is called heavy and gets a
 * bucket of its own. A cell can have one heavy value. These are the equality
 * buckets of super scalar sample sort (Sanders and Winkel 2004).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/grid.h"

enum {
	CELLS_MOST = 1 << 11, /* most buckets to ask for */
	/*
	 * Elements after the last cell that are never used. They exist because
	 * vector instructions read 8 bytes at a cell, which has 2.
	 */
	CELLS_BEHIND = 3
};

struct cells {
	struct grid grid;
	size_t buckets;
	uint16_t *cell; /* the first bucket of each cell */
	bool heavy;	/* whether there are heavy values */
	/*
	 * A frequent ("heavy") value has a bucket of its own. A cell with a
	 * heavy value has three buckets: for keys below it, equal to it, and
	 * above it. value[] of the first of them is the heavy value. For all
	 * other buckets value[] is UINT64_MAX. The key UINT64_MAX always has
	 * the last bucket to itself, so cells_find needs no branch.
	 */
	uint64_t *value;
	/*
	 * equal[i] tells whether all keys of bucket i are equal; one more
	 * element follows, which is false
	 */
	bool *equal;
};

/*
 * Sorts n sample keys and chooses the bounds of about `want` buckets. If want
 * is 1, n may be 0; then all keys belong to one bucket.
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

/* Finds the buckets of n keys: sets bucket[i] to cells_find(s, key[i]). */
void cells_place(
    const struct cells *s, const uint64_t *key, uint32_t *bucket, size_t n);

#endif

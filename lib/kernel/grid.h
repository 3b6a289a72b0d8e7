#ifndef HP_KERNEL_GRID_H
#define HP_KERNEL_GRID_H

/*
 * A grid divides the range of some sample keys into cells of equal size. The
 * size is a power of two, so that a shift finds the cell of a key.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	GRID_BITS_MOST = 16,
	GRID_OVERSAMPLE = 8 /* least number of sample keys per bucket */
};

struct grid {
	uint64_t low;
	unsigned shift;
	size_t cells;
};

/*
 * The result of grid_init: how many buckets the caller should make, and how
 * large.
 */
struct grid_share {
	/*
	 * number of buckets to make; it is less than the caller wanted if the
	 * sample is small
	 */
	size_t want;
	size_t keys; /* sample keys per bucket */
};

/*
 * Sorts the n sample keys; n may be 0. Divides the range of these keys into
 * cells of equal size. The caller wants to combine the cells to `want` buckets,
 * with about `each` cells per bucket. There are at least 1 << bits cells.
 * Returns how many buckets to make: fewer than `want` if the sample is small.
 */
struct grid_share grid_init(struct grid *, uint64_t *sample, size_t n,
    size_t want, size_t each, unsigned bits);

/*
 * Returns the index of the cell that contains the key. Keys below or above the
 * range count as in the first or last cell.
 */
static inline size_t
grid_cell(const struct grid *g, uint64_t key)
{
	uint64_t c = key <= g->low ? 0 : (key - g->low) >> g->shift;

	return (size_t)(c < g->cells ? c : g->cells - 1);
}

#endif

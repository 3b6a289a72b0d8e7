#ifndef HP_KERNEL_GRID_H
#define HP_KERNEL_GRID_H

/*
 * A grid divides the range of a sample of keys into equal cells. The cell size
 * is a power of two, so that a shift finds a key's cell.
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
 * The result of grid_init: how to choose buckets of nearly equal size from the
 * sample.
 */
struct grid_share {
	/* number of buckets to choose; reduced if the sample is small */
	size_t want;
	size_t keys; /* sample keys per bucket */
};

/*
 * Sorts the n sample keys; n may be 0. Then divides their range into cells:
 * about `each` cells for each of `want` buckets, and at least 1 << bits cells.
 * Returns how many buckets the sample allows.
 */
struct grid_share grid_init(struct grid *, uint64_t *sample, size_t n,
    size_t want, size_t each, unsigned bits);

/*
 * Returns the cell of a key. Keys outside the range belong to the first or last
 * cell.
 */
static inline size_t
grid_cell(const struct grid *g, uint64_t key)
{
	uint64_t c = key <= g->low ? 0 : (key - g->low) >> g->shift;

	return (size_t)(c < g->cells ? c : g->cells - 1);
}

#endif

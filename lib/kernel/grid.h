#ifndef HP_KERNEL_GRID_H
#define HP_KERNEL_GRID_H

/*
 * The range that a sample of keys spans, cut into equal cells, a power of two
 * of them: which one a key lies in costs a shift.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	GRID_BITS_MOST = 16,
	GRID_OVERSAMPLE = 8 /* keys in a sample for each bucket, at least */
};

struct grid {
	uint64_t low;
	unsigned shift;
	size_t cells;
};

/* What some buckets of nearly the same size may ask for. */
struct grid_share {
	size_t want; /* buckets; fewer where the sample is small */
	size_t keys; /* of the sample in each */
};

/*
 * Sorts n sample keys, which may be none, and lays about `each` cells for every
 * wanted bucket over them, at least 1 << bits.
 */
struct grid_share grid_init(struct grid *, uint64_t *sample, size_t n,
    size_t want, size_t each, unsigned bits);

/* Keys outside of the range lie in the first or the last cell. */
static inline size_t
grid_cell(const struct grid *g, uint64_t key)
{
	uint64_t c = key <= g->low ? 0 : (key - g->low) >> g->shift;

	return (size_t)(c < g->cells ? c : g->cells - 1);
}

#endif

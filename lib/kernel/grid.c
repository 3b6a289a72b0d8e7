#include <stdlib.h>

#include "kernel/grid.h"

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

struct grid_share
grid_init(struct grid *g, uint64_t *sample, size_t n, size_t want, size_t each,
    unsigned bits)
{
	unsigned width = 0;

	want = want < n / GRID_OVERSAMPLE ? want : n / GRID_OVERSAMPLE;
	while (bits < GRID_BITS_MOST && (size_t)1 << bits < want * each)
		bits++;
	qsort(sample, n, sizeof *sample, compare);
	*g = (struct grid){ .cells = (size_t)1 << bits };
	if (n > 0) {
		g->low = sample[0];
		if (sample[n - 1] > g->low)
			width = 64 -
			    (unsigned)__builtin_clzll(sample[n - 1] - g->low);
		g->shift = width > bits ? width - bits : 0;
	}
	return (struct grid_share){ want, want < 2 ? n : n / want };
}

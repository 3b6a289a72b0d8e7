#include <stdlib.h>

#include "kernel/spread.h"

enum {
	CELL_BITS_LEAST = 4,
	CELLS_EACH = 32 /* cells per bucket */
};

/* Starts a new bucket at this key. */
static void
add_bound(struct spread *s, uint64_t key)
{
	s->bound[s->buckets++] = key;
}

/* Chooses the bounds from the sorted sample. */
static void
bound(struct spread *s, const uint64_t *key, size_t n, size_t share)
{
	size_t held = 0, i, j;

	s->buckets = 1;
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && key[j] == key[i]; j++)
			;
		if (j - i > share) {
			if (s->bound[s->buckets - 1] != key[i])
				add_bound(s, key[i]);
			s->equal[s->buckets - 1] = true;
			if (key[i] != UINT64_MAX)
				add_bound(s, key[i] + 1);
			held = 0;
			continue;
		}
		if (held > 0 && held + (j - i) / 2 > share) {
			add_bound(s, key[i]);
			held = 0;
		}
		held += j - i;
	}
}

/*
 * Stores for each cell the bucket in which it begins, and whether a bound
 * between buckets lies in the cell.
 */
static void
fill(struct spread *s)
{
	size_t b = 0, first;

	for (size_t c = 0; c < s->grid.cells; c++) {
		for (first = b; b + 1 < s->buckets &&
		     (c + 1 == s->grid.cells ||
			 grid_cell(&s->grid, s->bound[b + 1]) <= c);
		     b++)
			;
		s->cell[c] = (uint16_t)(b > first ? first | SPREAD_SEARCH
						  : first);
	}
	s->cell[s->grid.cells] = (uint16_t)b;
}

int
spread_init(
    struct spread *s, uint64_t *sample, size_t n, size_t want, struct hp_err *e)
{
	struct grid_share share;
	size_t most;

	*s = (struct spread){ 0 };
	share = grid_init(&s->grid, sample, n,
	    want < SPREAD_MOST ? want : SPREAD_MOST, CELLS_EACH,
	    CELL_BITS_LEAST);
	/*
	 * Allocate memory for the largest possible number of buckets.
	 * share.keys is the target number of sample keys per bucket. Any two
	 * adjacent buckets have at least that many together. A frequent key
	 * adds at most two buckets.
	 */
	most = 8 * (share.want + 4);
	s->cell = malloc((s->grid.cells + 1) * sizeof *s->cell);
	s->bound = calloc(most, sizeof *s->bound);
	s->equal = calloc(most, sizeof *s->equal);
	if (s->cell == NULL || s->bound == NULL || s->equal == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu buckets", share.want);
	bound(s, sample, n, share.keys);
	fill(s);
	return 0;
}

void
spread_fini(struct spread *s)
{
	free(s->cell);
	free(s->bound);
	free(s->equal);
	*s = (struct spread){ 0 };
}

#include <stdlib.h>

#include "numbers/cells.h"

enum {
	CELL_BITS_LEAST = 8,
	CELLS_EACH = 8 /* cells per bucket */
};

/*
 * Finds the most frequent value among n sorted keys. Stores it in *value and
 * returns how often it occurs.
 */
static size_t
longest(const uint64_t *key, size_t n, uint64_t *value)
{
	size_t most = 0, i, j;

	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && key[j] == key[i]; j++)
			;
		if (j - i > most) {
			most = j - i;
			*value = key[i];
		}
	}
	return most;
}

/*
 * Assigns a bucket to each cell, so that each bucket gets about `share` of the
 * n sample keys.
 */
static void
fill(struct cells *s, const uint64_t *key, size_t n, size_t share)
{
	size_t c = 0, b = 0, held = 0, i, j;
	uint64_t value = 0;
	size_t run;

	for (i = 0; i < n; i = j) {
		size_t at = grid_cell(&s->grid, key[i]);

		for (j = i + 1; j < n && grid_cell(&s->grid, key[j]) == at; j++)
			;
		if (held > 0 && held + (j - i) / 2 > share) {
			b++;
			held = 0;
		}
		while (c < at)
			s->cell[c++] = (uint16_t)b;
		run = longest(key + i, j - i, &value);
		if (run <= share) {
			s->cell[c++] = (uint16_t)b;
			held += j - i;
			continue;
		}
		if (held > 0)
			b++;
		s->cell[c++] = (uint16_t)b;
		s->value[b] = value;
		s->equal[b + 1] = true;
		s->heavy = true;
		b += 3;
		held = 0;
	}
	while (c < s->grid.cells)
		s->cell[c++] = (uint16_t)b;
	s->equal[b + 1] = s->heavy;
	s->buckets = b + 1 + s->heavy;
}

int
cells_init(
    struct cells *s, uint64_t *sample, size_t n, size_t want, struct hp_err *e)
{
	struct grid_share share;
	size_t most;

	*s = (struct cells){ 0 };
	share = grid_init(&s->grid, sample, n,
	    want < CELLS_MOST ? want : CELLS_MOST, CELLS_EACH, CELL_BITS_LEAST);
	/*
	 * Allocate memory for the largest possible number of buckets.
	 * share.keys is the target number of sample keys per bucket. Any two
	 * adjacent buckets have at least that many together, except beside a
	 * frequent value, which takes three buckets.
	 */
	most = 8 * (share.want + 4);
	s->cell = malloc((s->grid.cells + CELLS_BEHIND) * sizeof *s->cell);
	s->value = malloc(most * sizeof *s->value);
	s->equal = calloc(most, sizeof *s->equal);
	if (s->cell == NULL || s->value == NULL || s->equal == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu buckets", share.want);
	for (size_t i = 0; i < most; i++)
		s->value[i] = UINT64_MAX;
	fill(s, sample, n, share.keys);
	return 0;
}

void
cells_fini(struct cells *s)
{
	free(s->cell);
	free(s->value);
	free(s->equal);
	*s = (struct cells){ 0 };
}

void
cells_place(
    const struct cells *s, const uint64_t *key, uint32_t *bucket, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bucket[i] = (uint32_t)cells_find(s, key[i]);
}

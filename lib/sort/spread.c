#include <stdlib.h>

#include "sort/spread.h"

enum {
	CELL_BITS_LEAST = 4,
	CELL_BITS_MOST = 16,
	OVERSAMPLE = 8 /* keys in a sample for each bucket, at least */
};

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* From key on another bucket begins. */
static void
add_bound(struct spread *s, uint64_t key)
{
	s->bound[s->buckets++] = key;
}

/* Chooses bounds; the sample is sorted. */
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

/* The bounds that lie in each cell. */
static void
fill(struct spread *s)
{
	size_t b = 0, first;

	for (size_t c = 0; c < s->cells; c++) {
		for (first = b; b + 1 < s->buckets &&
		     (c + 1 == s->cells ||
			 (s->bound[b + 1] - s->low) >> s->shift <= c);
		     b++)
			;
		s->cell[c] = (uint16_t)(b > first ? first | SPREAD_SEARCH
						  : first);
	}
	s->cell[s->cells] = (uint16_t)b;
}

int
spread_init(
    struct spread *s, uint64_t *sample, size_t n, size_t want, struct hp_err *e)
{
	unsigned bits = CELL_BITS_LEAST, width;
	size_t share, most;

	*s = (struct spread){ 0 };
	want = want < SPREAD_MOST ? want : SPREAD_MOST;
	want = want < n / OVERSAMPLE ? want : n / OVERSAMPLE;
	share = want < 2 ? n : n / want;
	qsort(sample, n, sizeof *sample, compare);
	while (bits < CELL_BITS_MOST && (size_t)1 << bits < want * 32)
		bits++;
	if (n > 0) {
		s->low = sample[0];
		width = sample[n - 1] == s->low
		    ? 0
		    : 64 - (unsigned)__builtin_clzll(sample[n - 1] - s->low);
		s->shift = width > bits ? width - bits : 0;
	}
	s->cells = (size_t)1 << bits;
	/* Two neighbours hold a share, a heavy value with two more does. */
	most = 8 * (want + 4);
	s->cell = malloc((s->cells + 1) * sizeof *s->cell);
	s->bound = calloc(most, sizeof *s->bound);
	s->equal = calloc(most, sizeof *s->equal);
	if (s->cell == NULL || s->bound == NULL || s->equal == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu buckets", want);
	bound(s, sample, n, share);
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

#include <stdlib.h>
#include <string.h>

#include "numbers/bins.h"
#include "numbers/phase.h"
#include "numbers/split.h"

enum {
	SPLIT_SAMPLES = 1 << 13
};

struct split {
	struct bin *from;
	struct cells cells;
	struct scatter *to; /* one per thread */
};

struct splitting {
	struct numbers *s;
	struct split *split;
	size_t n, bins;
};

static bool
too_large(const struct numbers *s, const struct bin *b)
{
	return b->values == 0 && b->n > s->leaf;
}

/*
 * Stores sample keys in key[], taken at equal distances from all numbers of the
 * bin. Returns how many it stored.
 */
static size_t
sample_bin(const struct numbers *s, const struct bin *b, uint64_t *key)
{
	size_t element = s->number.element, each = numbers_in_sheet(s);
	size_t step = b->n / SPLIT_SAMPLES + 1, n = 0;

	for (unsigned w = 0; w < s->threads; w++) {
		const struct sheet *x = b->strip[w].first;
		size_t left = b->strip[w].n, at = 0, k;

		for (; left > 0; left -= k, x = x->next) {
			k = left < each ? left : each;
			for (; at < k && n < SPLIT_SAMPLES; at += step)
				key[n++] = number_stored(
				    &s->number, x->data + at * element);
			at -= at < k ? at : k;
		}
	}
	return n;
}

/*
 * Each thread divides its own strips, the numbers that it has put into the bins
 * itself. It reuses the memory of the numbers that it has divided.
 */
static int
split_worker(void *ctx, unsigned i)
{
	struct splitting *r = ctx;
	struct numbers *s = r->s;
	size_t each = numbers_in_sheet(s);

	for (struct split *p = r->split; p < r->split + r->n; p++) {
		struct sheet *x = p->from->strip[i].first, *next;
		size_t left = p->from->strip[i].n, k;

		for (; left > 0; left -= k, x = next) {
			k = left < each ? left : each;
			if (number_split(&s->number, &p->cells, &p->to[i],
				x->data, k) == -1)
				return numbers_no_memory(s, i);
			next = x->next;
			sheet_give_back(&s->sheets[i], x);
		}
		if (scatter_close(&p->to[i], s->number.element) == -1)
			return numbers_no_memory(s, i);
	}
	return 0;
}

static int
start_splits(struct splitting *r, struct hp_err *e)
{
	struct numbers *s = r->s;
	uint64_t *key = calloc(SPLIT_SAMPLES, sizeof *key);
	struct split *p = r->split;
	int rc = 0;

	if (key == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	r->bins = s->nbins;
	for (size_t i = 0; i < s->nbins && rc == 0; i++) {
		struct bin *b = &s->bin[i];
		size_t want = 2 * (b->n / s->part + 1);

		if (!too_large(s, b))
			continue;
		p->from = b;
		want = want < s->want ? want : s->want;
		want = want < 16 ? 16 : want;
		rc = cells_init(&p->cells, key, sample_bin(s, b, key), want, e);
		if (rc == 0 &&
		    (p->to = numbers_scatters_new(s, &p->cells, e)) == NULL)
			rc = -1;
		r->bins += p++->cells.buckets + 1;
	}
	free(key);
	return rc;
}

/* Replaces each bin that was divided by the new bins that were made of it. */
static int
end_splits(struct splitting *r, struct hp_err *e)
{
	struct numbers *s = r->s;
	struct bin *all = calloc(r->bins, sizeof *all);
	const struct split *p = r->split;
	size_t n = 0;

	if (all == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu bins", r->bins);
	for (size_t i = 0; i < s->nbins; i++) {
		if (p == r->split + r->n || &s->bin[i] != p->from) {
			all[n++] = s->bin[i];
			continue;
		}
		if (numbers_bins(s, p->to, &p->cells, all + n, e) == -1) {
			free(all);
			return -1;
		}
		n += p++->cells.buckets + 1;
	}
	free(s->bin);
	s->bin = all;
	s->nbins = n;
	return 0;
}

int
numbers_split(struct numbers *s, struct hp_err *e)
{
	struct splitting r;
	int rc;

	do {
		r = (struct splitting){ .s = s };
		for (size_t i = 0; i < s->nbins; i++)
			r.n += too_large(s, &s->bin[i]);
		if (r.n == 0)
			return 0;
		if ((r.split = calloc(r.n, sizeof *r.split)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "sort");
		rc = start_splits(&r, e) == -1 ||
			numbers_team(s, split_worker, &r, e) == -1 ||
			end_splits(&r, e) == -1
		    ? -1
		    : 0;
		for (size_t i = 0; i < r.n; i++) {
			numbers_scatters_free(s, r.split[i].to);
			cells_fini(&r.split[i].cells);
		}
		free(r.split);
	} while (rc == 0);
	return rc;
}

#include <stdlib.h>

#include "base/array.h"
#include "share/sums.h"

void
set_fini(struct set *s)
{
	free(s->range);
	*s = (struct set){ 0 };
}

bool
set_has(const struct set *s, uint64_t x)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->range[mid].hi < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n && s->range[lo].lo <= x;
}

static int
by_lo(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Sorts the ranges of a set, and joins ranges that overlap or touch. */
static void
tidy(struct set *s)
{
	size_t n = 0;

	if (s->n == 0)
		return;
	qsort(s->range, s->n, sizeof *s->range, by_lo);
	for (size_t i = 1; i < s->n; i++) {
		struct range *last = &s->range[n];

		if (s->range[i].lo <= last->hi + 1) {
			if (s->range[i].hi > last->hi)
				last->hi = s->range[i].hi;
		} else
			s->range[++n] = s->range[i];
	}
	s->n = n + 1;
}

static int
push(struct set *s, struct range r, struct hp_err *e)
{
	if (ARRAY_ROOM(s->range, s->n, s->cap) == -1)
		return hp_fail(e, HP_NOMEM, "sums of shares");
	s->range[s->n++] = r;
	return 0;
}

int
set_add(const struct set *a, const struct set *b, uint64_t most,
    struct set *out, struct hp_err *e)
{
	size_t tidied = 64;

	out->n = 0;
	for (size_t i = 0; i < a->n; i++) {
		for (size_t j = 0; j < b->n; j++) {
			struct range r = { a->range[i].lo + b->range[j].lo,
				a->range[i].hi + b->range[j].hi };

			if (r.lo > most)
				break;
			if (r.hi > most)
				r.hi = most;
			if (push(out, r, e) == -1)
				return -1;
		}
		/*
		 * Each pair of ranges gives one range of sums. Most of these
		 * ranges overlap or touch. Join them from time to time, so that
		 * memory never holds all of them.
		 */
		if (out->n > 2 * tidied) {
			tidy(out);
			tidied = out->n < 64 ? 64 : out->n;
			if (tidied > SET_MOST)
				return hp_fail(e, HP_NOMEM,
				    "the times rise and fall too often: the "
				    "sums of "
				    "shares form more than %zu ranges",
				    SET_MOST);
		}
	}
	tidy(out);
	return 0;
}

bool
set_split(
    const struct set *a, const struct set *b, uint64_t total, uint64_t *part)
{
	/*
	 * Search for a number of A and a number of B whose sum is `total`.
	 * Begin with the smallest range of A and the largest range of B, so
	 * that the greatest number of B is found.
	 */
	for (size_t j = b->n, i = 0; j > 0 && i < a->n;) {
		uint64_t lo = b->range[j - 1].lo, hi = b->range[j - 1].hi;
		struct range r = a->range[i];

		if (r.lo > total)
			return false;
		/*
		 * If the number of A lies in r, then the number of B lies
		 * between total - r.hi and total - r.lo. Test whether this
		 * range and lo .. hi, a range of B, overlap.
		 */
		if (total - r.lo < lo)
			j--;
		else if (r.hi < total && total - r.hi > hi)
			i++;
		else {
			*part = total - r.lo < hi ? total - r.lo : hi;
			return true;
		}
	}
	return false;
}

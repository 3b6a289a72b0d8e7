#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cost/learned.h"

static int
by_n(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	/*
	 * Compare all members, so that equal sets of records are always in the
	 * same order. Sums of doubles depend on the order of their terms,
	 * because each addition rounds.
	 */
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return (x->weight > y->weight) - (x->weight < y->weight);
}

/*
 * Merges r[0] and the records after it that have the same size n into one
 * record. Stores it in *out. Returns how many records were merged.
 */
static size_t
merge_same(
    const struct record *r, size_t left, enum merge how, struct record *out)
{
	double sum = 0, weight = 0, most = 0;
	size_t i;

	for (i = 0; i < left && r[i].n == r[0].n; i++) {
		double w = how == MERGE_WEIGHTED ? r[i].weight : 1;

		sum += w * r[i].cost;
		weight += w;
		if (r[i].cost > most)
			most = r[i].cost;
	}
	*out = (struct record){ r[0].n, how == MERGE_MAX ? most : sum / weight,
		weight };
	return i;
}

struct block {
	double cost, weight;
	size_t size; /* number of records it stands for */
};

/*
 * Makes the costs increase: replaces neighbours that are out of order by their
 * mean (the algorithm "pool adjacent violators"). The array `block` must have
 * room for n elements.
 */
static void
pool(struct record *r, size_t n, struct block *block)
{
	size_t top = 0;

	for (size_t i = 0; i < n; i++) {
		block[top++] = (struct block){ r[i].cost, r[i].weight, 1 };
		for (; top > 1 && block[top - 1].cost < block[top - 2].cost;
		     top--) {
			struct block *a = &block[top - 2], *b = a + 1;
			double w = a->weight + b->weight;

			a->cost = (a->cost * a->weight + b->cost * b->weight) /
			    w;
			a->weight = w;
			a->size += b->size;
		}
	}
	for (size_t i = n; top > 0; top--)
		for (size_t j = block[top - 1].size; j > 0; j--)
			r[--i].cost = block[top - 1].cost;
}

int
cost_learn(struct cost *c, struct record *r, size_t records, enum merge how,
    struct hp_err *e)
{
	struct block *block;
	size_t n = 0;

	*c = (struct cost){ .kind = COST_LEARNED };
	c->text = strdup(LEARNED_TEXT);
	/*
	 * Allocate one element more than needed, so that the size is never 0.
	 */
	c->known = reallocarray(NULL, records + 1, sizeof *c->known);
	block = reallocarray(NULL, records + 1, sizeof *block);
	if (c->text == NULL || c->known == NULL || block == NULL) {
		free(block);
		free(c->known);
		free(c->text);
		*c = (struct cost){ 0 };
		return hp_fail(e, HP_NOMEM, "learned costs");
	}
	qsort(r, records, sizeof *r, by_n);
	for (size_t i = 0; i < records; n++)
		i += merge_same(&r[i], records - i, how, &r[n]);
	pool(r, n, block);
	free(block);
	/* If nothing was measured, the cost is proportional to n. */
	c->known[0] = (struct known){ 1, 1 };
	c->nknown = n > 0 ? n : 1;
	for (size_t i = 0; i < n; i++)
		c->known[i] = (struct known){ r[i].n, r[i].cost };
	return 0;
}

/*
 * Returns the slope of the segment that ends at known[i], and stores the start
 * of the segment in *from. For i beyond the last point, returns the slope with
 * which the cost continues: that of the last segment, or of the line from the
 * origin to the last point if that is steeper.
 */
static long double
piece_slope(const struct cost *c, size_t i, struct known *from)
{
	const struct known *k = c->known, origin = { 0, 0 };
	size_t last = c->nknown - 1;
	long double slope;

	*from = i == 0 ? origin : k[i - 1];
	if (i <= last)
		return ((long double)k[i].cost - from->cost) /
		    (k[i].n - from->n);
	slope = piece_slope(c, last, from);
	*from = k[last];
	return fmaxl(slope, (long double)k[last].cost / k[last].n);
}

/*
 * Returns the index of the first segment whose end is not less than x. x is a
 * cost if by_cost is set; otherwise it is a number of items.
 */
static size_t
piece_of(const struct cost *c, double x, bool by_cost)
{
	size_t lo = 0, hi = c->nknown;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct known *k = &c->known[mid];

		if ((by_cost ? k->cost : k->n) < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

long double
learned_at(const struct cost *c, double n)
{
	struct known from;
	size_t i = piece_of(c, n, false);
	long double slope = piece_slope(c, i, &from);
	long double x = from.cost + slope * (n - from.n);

	/*
	 * Limit the result, so that rounding does not raise it above the cost
	 * at the start of the next segment.
	 */
	return i < c->nknown ? fminl(x, c->known[i].cost) : x;
}

double
learned_inverse(const struct cost *c, double y, double *slope)
{
	struct known from;
	double rise = (double)piece_slope(c, piece_of(c, y, true), &from);

	*slope = rise > 0 ? 1 / rise : 0;
	return from.n + (y - from.cost) * *slope;
}

#include <stdlib.h>

#include "batch_sums.h"

static int
by_offset(const void *a, const void *b, void *batch)
{
	const struct extent *l = batch, *x = &l[*(const size_t *)a],
			    *y = &l[*(const size_t *)b];

	return (x->offset > y->offset) - (x->offset < y->offset);
}

size_t *
batch_order(const struct growing *g, struct hp_err *e)
{
	size_t *order = reallocarray(NULL, g->n + 1, sizeof *order);

	if (order == NULL) {
		hp_fail_errno(e, HP_NOMEM, "batches");
		return NULL;
	}
	for (size_t i = 0; i < g->n; i++)
		order[i] = i;
	qsort_r(order, g->n, sizeof *order, by_offset, g->batch);
	return order;
}

/* Adds the checksum of each unit to the batch that contains the unit. */
static void
add_units(const struct growing *g, const struct part_sums *l,
    const size_t *order, struct summary *s)
{
	uint64_t at = 0;
	size_t k = 0;

	for (size_t i = 0; i < l->n; at += l->v[i++].bytes) {
		const struct extent *x;

		while (k < g->n &&
		    at >= g->batch[order[k]].offset + g->batch[order[k]].bytes)
			k++;
		if (k == g->n)
			return;
		x = &g->batch[order[k]];
		if (at < x->offset)
			continue;
		s[order[k]].records += l->v[i].records;
		s[order[k]].bytes += l->v[i].bytes;
		sum_add(&s[order[k]].checksum, &l->v[i].checksum);
	}
}

struct summary *
batch_sums(const struct growing *g, const size_t *order, struct hp_err *e)
{
	struct summary *s = calloc(g->n + 1, sizeof *s);
	struct part_sums l = { 0 };

	if (s == NULL)
		hp_fail_errno(e, HP_NOMEM, "batches");
	else if (doc_sums_read("units.sums", 0, &l, e) == 0)
		add_units(g, &l, order, s);
	else {
		free(s);
		s = NULL;
	}
	part_sums_fini(&l);
	return s;
}

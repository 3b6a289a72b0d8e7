#include <stdlib.h>

#include "base/array.h"
#include "batch_list.h"

int
batch_room(struct growing *g, struct hp_err *e)
{
	if (ARRAY_ROOM(g->batch, g->n, g->cap) == -1 ||
	    ARRAY_ROOM(g->state, g->n, g->state_cap) == -1 ||
	    ARRAY_ROOM(g->sent, g->n, g->sent_cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "batches");
	return 0;
}

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

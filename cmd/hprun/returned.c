#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "batch_sums.h"
#include "returned.h"

/*
 * Returns whether a batch has returned as a whole and in order, with the
 * records that were sent.
 */
static bool
is_right(const struct growing *g, size_t b, const struct summary *sent)
{
	const struct checktap *t = &g->tap[b];
	const struct summary *s = &t->check.check.summary;

	if (b < g->kept)
		return true;
	return g->state[b] == BATCH_ENDED && t->bytes == g->batch[b].bytes &&
	    s->records == sent->records && s->bytes == sent->bytes &&
	    s->unordered == 0 && s->checksum.high == sent->checksum.high &&
	    s->checksum.low == sent->checksum.low;
}

/* Keeps a batch.  The next attempt counts its batches from these on. */
static int
keep(struct extents *l, const struct growing *g, size_t b, struct hp_err *e)
{
	struct checktap to;

	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "batches");
	checktap_init(&to, &g->run->o.order, "sorted", l->n);
	if (l->n != b && rename(g->tap[b].file, to.file) == -1)
		return hp_fail_errno(e, HP_IO, "%s", to.file);
	l->v[l->n++] = g->batch[b];
	return 0;
}

int
returned_keep(struct growing *g, struct hp_err *e)
{
	size_t *order = batch_order(g, e);
	struct summary *sent = order != NULL ? batch_sums(g, order, e) : NULL;
	struct extents l = { 0 };
	int rc = sent == NULL ? -1 : 0;

	for (size_t b = 0; rc == 0 && b < g->n; b++)
		if (is_right(g, b, &sent[b]))
			rc = keep(&l, g, b, e);
	extents_fini(&g->run->returned);
	g->run->returned = l;
	free(sent);
	free(order);
	return rc;
}

/* Adds a batch that is done. */
static int
add_done(struct growing *g, const struct extent *x, struct hp_err *e)
{
	if (ARRAY_ROOM(g->batch, g->n, g->cap) == -1 ||
	    ARRAY_ROOM(g->state, g->n, g->state_cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "batches");
	g->batch[g->n] = *x;
	g->batch[g->n].sublist = g->n;
	/* Its node may be lost.  Nothing depends on which node has sorted it.
	 */
	g->batch[g->n].rank = 0;
	g->state[g->n] = BATCH_ENDED;
	checktap_init(&g->tap[g->n], &g->run->o.order, "sorted", g->n);
	g->tap[g->n].bytes = x->bytes;
	g->n++;
	return 0;
}

/* Takes away the units of all batches. */
static void
take_units(struct growing *g, const size_t *order)
{
	struct parts *u = &g->units;
	size_t n = 0, k = 0;

	for (size_t i = 0; i < u->n; i++) {
		const struct part *p = &u->v[i];

		while (k < g->n &&
		    p->offset >=
			g->batch[order[k]].offset + g->batch[order[k]].bytes)
			k++;
		if (k < g->n && p->offset >= g->batch[order[k]].offset)
			g->left -= p->records;
		else
			u->v[n++] = *p;
	}
	u->n = n;
}

int
returned_take(struct growing *g, struct hp_err *e)
{
	const struct extents *l = &g->run->returned;
	size_t *order;

	for (size_t i = 0; i < l->n; i++)
		if (add_done(g, &l->v[i], e) == -1)
			return -1;
	g->kept = g->n;
	if ((order = batch_order(g, e)) == NULL)
		return -1;
	take_units(g, order);
	free(order);
	return 0;
}

void
returned_forget(struct run *run)
{
	extents_fini(&run->returned);
}

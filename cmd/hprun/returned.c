#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "batch_list.h"
#include "progress.h"
#include "returned.h"

/*
 * Returns whether a batch has returned as a whole and in order, with the
 * records that were sent.
 */
static bool
is_right(const struct growing *g, size_t b)
{
	const struct checktap *t = &g->tap[b];
	const struct summary *s = &t->check.check.summary, *sent = &g->sent[b];

	if (b < g->kept)
		return true;
	return g->state[b] == BATCH_ENDED && t->bytes == g->batch[b].bytes &&
	    s->records == sent->records && s->bytes == sent->bytes &&
	    s->unordered == 0 && s->checksum.high == sent->checksum.high &&
	    s->checksum.low == sent->checksum.low;
}

void
returned_free(struct growing *g)
{
	size_t right = g->right;

	while (g->right < g->n && is_right(g, g->right))
		g->right++;
	/* An error does no harm: then the file is removed at the end. */
	if (g->right > right &&
	    truncate(g->run->ranges, (off_t)g->batch[g->right - 1].offset) ==
		-1)
		return;
}

/* Keeps a batch.  The next attempt counts its batches from these on. */
static int
keep(struct returned *l, const struct growing *g, size_t b)
{
	struct checktap to;

	checktap_init(&to, &g->run->o.order, "sorted", l->n);
	if (l->n != b && rename(g->tap[b].file, to.file) == -1)
		return -1;
	l->batch[l->n] = g->batch[b];
	l->sent[l->n++] = g->sent[b];
	return 0;
}

void
returned_keep(struct growing *g)
{
	struct run *run = g->run;
	struct returned l = { .batch = calloc(g->n + 1, sizeof *l.batch),
		.sent = calloc(g->n + 1, sizeof *l.sent) };
	int rc = l.batch == NULL || l.sent == NULL ? -1 : 0;

	for (size_t b = 0; rc == 0 && b < g->n; b++)
		if (is_right(g, b))
			rc = keep(&l, g, b);
	returned_forget(run);
	run->returned = l;
	if (rc == -1) {
		/* What has been freed must be divided again. */
		returned_forget(run);
		run->divided = false;
	}
}

/* Adds a batch that is done. */
static int
add_done(struct growing *g, size_t i, struct hp_err *e)
{
	if (batch_room(g, e) == -1)
		return -1;
	g->sent[g->n] = g->run->returned.sent[i];
	g->batch[g->n] = g->run->returned.batch[i];
	g->batch[g->n].sublist = g->n;
	/* Its node may be lost.  It does not matter which node has sorted it.
	 */
	g->batch[g->n].rank = 0;
	g->state[g->n] = BATCH_ENDED;
	checktap_init(&g->tap[g->n], &g->run->o.order, "sorted", g->n);
	g->tap[g->n].bytes = g->batch[g->n].bytes;
	/* It was sent and sorted. */
	progress_batch(g->run, 2 * g->batch[g->n].bytes);
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
		else {
			g->sums.v[n] = g->sums.v[i];
			u->v[n++] = *p;
		}
	}
	u->n = n;
}

int
returned_take(struct growing *g, struct hp_err *e)
{
	size_t *order;

	for (size_t i = 0; i < g->run->returned.n; i++)
		if (add_done(g, i, e) == -1)
			return -1;
	g->kept = g->right = g->n;
	if ((order = batch_order(g, e)) == NULL)
		return -1;
	take_units(g, order);
	free(order);
	return 0;
}

void
returned_forget(struct run *run)
{
	free(run->returned.batch);
	free(run->returned.sent);
	run->returned = (struct returned){ 0 };
}

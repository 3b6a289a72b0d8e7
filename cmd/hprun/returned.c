#include <stdlib.h>
#include <unistd.h>

#include "batch_list.h"
#include "progress.h"
#include "returned.h"

int
returned_check(struct growing *g, size_t b, struct hp_err *e)
{
	const struct checktap *t = &g->tap[b];
	const struct summary *s = &t->check.check.summary, *sent = &g->sent[b];
	struct run *run = g->run;
	const char *wrong = NULL;

	if (t->bytes != g->batch[b].bytes || s->records != sent->records ||
	    s->bytes != sent->bytes ||
	    s->checksum.high != sent->checksum.high ||
	    s->checksum.low != sent->checksum.low)
		wrong = "not those sent to the node";
	else if (s->unordered > 0)
		wrong = "not in order";
	if (wrong == NULL)
		return 0;
	g->state[b] = BATCH_RUNS; /* so returned_keep skips it */
	run_say(run, "%s: the records of a batch are %s",
	    run->node[g->batch[b].rank].name, wrong);
	return run_not_proven(run, e);
}

void
returned_free(struct growing *g)
{
	size_t done = g->done;

	while (g->done < g->n && g->state[g->done] == BATCH_ENDED)
		g->done++;
	/* An error does no harm: then the file is removed at the end. */
	if (g->done > done &&
	    truncate(g->run->ranges, (off_t)g->batch[g->done - 1].offset) == -1)
		return;
}

/* Keeps batch b for the next attempt. */
static void
keep(struct returned *l, struct growing *g, size_t b)
{
	struct summary *sorted = &g->tap[b].check.check.summary;

	l->batch[l->n] = g->batch[b];
	l->sent[l->n] = g->sent[b];
	l->sorted[l->n++] = *sorted;
	*sorted = (struct summary){ 0 };
}

void
returned_keep(struct growing *g)
{
	struct run *run = g->run;
	struct returned l = { .batch = calloc(g->n + 1, sizeof *l.batch),
		.sent = calloc(g->n + 1, sizeof *l.sent),
		.sorted = calloc(g->n + 1, sizeof *l.sorted) };
	bool room = l.batch != NULL && l.sent != NULL && l.sorted != NULL;

	for (size_t b = 0; room && b < g->n; b++)
		if (g->state[b] == BATCH_ENDED)
			keep(&l, g, b);
	returned_forget(run);
	run->returned = l;
	if (!room) {
		returned_forget(run);
		/* The file of the divided input has been cut off. */
		run->divided = false;
	}
}

/* Adds a batch that is done. */
static int
add_done(struct growing *g, size_t i, struct hp_err *e)
{
	struct returned *l = &g->run->returned;
	struct checktap *t = &g->tap[g->n];

	if (batch_room(g, e) == -1)
		return -1;
	g->sent[g->n] = l->sent[i];
	g->batch[g->n] = l->batch[i];
	g->batch[g->n].sublist = g->n;
	/* Its node may be lost, and does not matter any more. */
	g->batch[g->n].rank = 0;
	g->state[g->n] = BATCH_ENDED;
	checktap_init(t, &g->run->o.order);
	t->bytes = g->batch[g->n].bytes;
	t->check.check.summary = l->sorted[i];
	l->sorted[i] = (struct summary){ 0 };
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
	g->done = g->n;
	if ((order = batch_order(g, e)) == NULL)
		return -1;
	take_units(g, order);
	free(order);
	return 0;
}

void
returned_forget(struct run *run)
{
	for (size_t i = 0; i < run->returned.n; i++)
		summary_fini(&run->returned.sorted[i]);
	free(run->returned.batch);
	free(run->returned.sent);
	free(run->returned.sorted);
	run->returned = (struct returned){ 0 };
}

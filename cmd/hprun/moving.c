#include "base/clock.h"
#include "moving.h"

static bool
moves(const struct growing *g, size_t b, size_t to, double now_s)
{
	return b != NO_BATCH &&
	    batches_moves(&g->speeds, g->batch[b].rank, to, g->batch[b].records,
		g->state[b], now_s);
}

/* Chooses a batch that the slowest node has finished. */
static size_t
choose_finished(const struct growing *g, size_t to, double now_s)
{
	size_t from = batches_slowest(&g->speeds, now_s), b = g->n;

	/*
	 * Usually no batch moves. If even a batch of one record would not move,
	 * do not look at all batches.
	 */
	if (from == to ||
	    !batches_moves(&g->speeds, from, to, 1, BATCH_ENDED, now_s))
		return NO_BATCH;
	while (b-- > 0)
		if (g->batch[b].rank == from && g->state[b] == BATCH_ENDED &&
		    moves(g, b, to, now_s))
			return b;
	return NO_BATCH;
}

size_t
moving_choose(const struct growing *g, size_t to)
{
	double now_s = clock_wall_s();
	const struct worker *w;

	/* A moved batch has two more steps: it is sent and sorted. */
	if (g->nof + 2 > g->stage.growth)
		return NO_BATCH;
	for (size_t i = 0; i < g->run->nodes; i++) {
		w = &g->worker[i];
		if (i != to && moves(g, w->queued, to, now_s))
			return w->queued;
		if (i != to && moves(g, w->sorting, to, now_s))
			return w->sorting;
	}
	/* A batch that has returned is done: no node works on it again. */
	return g->tap != NULL ? NO_BATCH : choose_finished(g, to, now_s);
}

void
moving_take(struct growing *g, size_t b)
{
	struct worker *w = &g->worker[g->batch[b].rank];

	batches_leave(&g->speeds, g->batch[b].rank, g->batch[b].records,
	    g->state[b], clock_wall_s());
	for (size_t i = 0; i < g->nof; i++)
		if (g->of[i] == b)
			stage_drop(&g->stage, i);
	if (w->queued == b)
		w->queued = NO_BATCH;
	if (w->sorting == b)
		w->sorting = NO_BATCH;
	if (g->state[b] == BATCH_RUNS)
		w->sorts--;
}

void
moving_repeat(struct growing *g, size_t b, const struct batch_step *x)
{
	struct worker *w = &g->worker[g->batch[b].rank];

	if (!x->sends && x->of.rank == g->batch[b].rank && w->queued == b)
		w->queued = NO_BATCH;
	else
		moving_take(g, b);
}

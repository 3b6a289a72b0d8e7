#include <stdlib.h>

#include "input/budget.h"
#include "input/mapped.h"
#include "numbers/bins.h"
#include "numbers/leaves.h"
#include "numbers/numbers.h"
#include "numbers/phase.h"
#include "numbers/plan.h"
#include "numbers/split.h"
#include "numbers/tally.h"

enum {
	LIST = LINE + 64 /* bytes of a list without its sheets */
};

static int
init(struct numbers *s, const struct order *o, struct input *in,
    struct budget *g, struct hp_err *e)
{
	size_t element;

	budget_numbers(g, in, LIST, CELLS_MOST);
	budget_input(g, in);
	number_init(&s->number, o);
	element = s->number.element;
	s->in = in;
	s->unique = o->unique;
	s->sum_dropped = o->sum_dropped;
	s->threads = g->threads;
	s->writers = g->writers;
	s->leaf = g->leaf / element;
	s->part = g->part / element;
	s->want = g->buckets;
	in->passing = true;
	/*
	 * Memory per number: its key, and its part of the header of a sheet. A
	 * sheet is a block of a list.
	 */
	in->per_record = element + element * LINE / (g->sheet - LINE) + 1;
	s->sheets = calloc(s->threads, sizeof *s->sheets);
	s->err = calloc(s->writers, sizeof *s->err);
	if (s->sheets == NULL || s->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned i = 0; i < s->threads; i++)
		s->sheets[i] = (struct sheets){ .heap.arena = &s->arena,
			.size = g->sheet };
	return arena_init(&s->arena, g->addresses, g->cap, g->slab, g->huge, e);
}

struct reading {
	struct numbers *s;
	struct scatter *to; /* one per thread */
};

static int
distribute(void *ctx, unsigned i, const struct block *b)
{
	struct reading *r = ctx;

	return number_read(&r->s->number, &r->s->cells, &r->to[i], b->start,
		   b->end) == -1
	    ? numbers_no_memory(r->s, i)
	    : 0;
}

static int
read_worker(void *ctx, unsigned i)
{
	struct reading *r = ctx;

	if (numbers_blocks(r->s, i, distribute, r) == -1)
		return -1;
	return scatter_close(&r->to[i], r->s->number.element) == -1
	    ? numbers_no_memory(r->s, i)
	    : 0;
}

static int
read_batch(struct batch *batch, struct hp_err *e)
{
	struct numbers *s = (struct numbers *)batch;
	struct reading r = { .s = s };
	int rc = -1;

	if (batch->counted)
		return numbers_tally(s, e);
	s->nbins = s->cells.buckets + 1;
	s->bin = calloc(s->nbins, sizeof *s->bin);
	if (s->bin == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	if ((r.to = numbers_scatters_new(s, &s->cells, e)) != NULL &&
	    numbers_team(s, read_worker, &r, e) == 0 &&
	    numbers_bins(s, r.to, &s->cells, s->bin, e) == 0)
		rc = s->more;
	numbers_scatters_free(s, r.to);
	batch->records = 0;
	for (size_t i = 0; i < s->nbins; i++)
		batch->records += s->bin[i].n;
	batch->bytes = s->in->given;
	input_drop(s->in);
	return rc;
}

static int
write_batch(struct batch *batch, struct output *out, uint64_t *records,
    struct hp_err *e)
{
	struct numbers *s = (struct numbers *)batch;

	if (numbers_split(s, e) == -1 || numbers_emit(s, out, records, e) == -1)
		return -1;
	numbers_bins_forget(s);
	numbers_tally_forget(s);
	arena_reset(&s->arena);
	for (unsigned i = 0; i < s->threads; i++) {
		s->sheets[i].heap = (struct heap){ .arena = &s->arena };
		s->sheets[i].spare = NULL;
	}
	input_forget(s->in);
	return 0;
}

static void
fini(struct batch *batch)
{
	struct numbers *s = (struct numbers *)batch;

	numbers_bins_forget(s);
	numbers_tally_fini(s);
	cells_fini(&s->cells);
	arena_fini(&s->arena);
	free(s->sheets);
	free(s->err);
	free(s);
}

static const struct batch_ops ops = { read_batch, write_batch, fini };

struct batch *
numbers_new(const struct order *o, struct input *in,
    const struct budget *budget, struct hp_err *e)
{
	struct budget g = *budget;
	struct numbers *s = calloc(1, sizeof *s);

	if (s == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		return NULL;
	}
	s->batch.ops = &ops;
	s->batch.arena = &s->arena;
	if (init(s, o, in, &g, e) == 0 && numbers_plan(s, e) == 0)
		return &s->batch;
	fini(&s->batch);
	return NULL;
}

#include <stdlib.h>

#include "base/size.h"
#include "base/space.h"
#include "base/team.h"
#include "numbers/bins.h"
#include "numbers/leaves.h"
#include "numbers/numbers.h"
#include "numbers/phase.h"
#include "numbers/plan.h"
#include "numbers/split.h"
#include "numbers/tally.h"

enum {
	PART = 1 << 19, /* bytes that a bin should have: four times this fits
			   an L2 cache */
	PART_LEAST = 1 << 17, /* when the input is small */
	SHARE = 40 << 20,     /* of a small input, for each thread */
	LEAF_MOST = 8 * PART,
	SHEET = 1 << 12,
	SHEET_SMALL = 1 << 10,
	LIST = LINE + 64, /* a list, beside its sheets */
	SMALL = 64 << 20, /* memory that asks for small sheets */
};

/* Is there enough memory for the sheets of so many threads? */
static bool
bear(uint64_t memory, unsigned threads, size_t sheet)
{
	return (uint64_t)threads * threads <= memory / sheet / 1024;
}

static int
init(struct numbers *s, const struct order *o, struct input *in,
    unsigned threads, uint64_t memory, struct hp_err *e)
{
	size_t sheet = SHEET, slab, each, element, room, huge;

	/* Each thread has sheets of its own in every bin, and the more threads,
	 * the smaller a bin must be: to cut one again takes memory. */
	if (memory < SMALL || !bear(memory, threads, SHEET))
		sheet = SHEET_SMALL;
	while (threads > 1 && !bear(memory, threads, sheet))
		threads--;
	huge = input_huge(in, threads, memory);
	threads = input_threads(in, threads, SHARE, memory);
	room = input_room(in, memory);
	each = room / threads;
	s->in = in;
	s->unique = o->unique;
	s->sum_dropped = o->sum_dropped;
	s->threads = threads;
	s->writers = threads + TEAM_SPARE;
	number_init(&s->number, o);
	element = s->number.element;
	s->leaf = size_clamp(memory / threads / 32, 1 << 13, LEAF_MOST);
	/* So few bins are larger than a leaf, and cut again. */
	s->part = size_clamp(room / 96, PART_LEAST, PART);
	s->part = size_clamp(s->leaf / 4, 1, s->part) / element;
	slab = size_clamp(each / 64, 1 << 14, 1 << 18) / sheet * sheet;
	in->passing = true;
	/* The heads of sheets, too. */
	in->per_record = element + element * LINE / (sheet - LINE) + 1;
	in->block = size_clamp(each / 128, 1 << 16, HUGE_PAGE);
	memory -= threads * slab +
	    (s->writers + numbers_buffers(s->writers)) * s->leaf +
	    input_own(in, threads);
	s->leaf /= element;
	in->cap = (size_t)memory;
	/* At most a sixteenth of it is lost in sheets that are not full. */
	s->want = size_clamp(memory / 16 / sheet / threads, 1, CELLS_MOST);
	in->cap -= s->want * threads * LIST;
	s->sheets = calloc(threads, sizeof *s->sheets);
	s->err = calloc(s->writers, sizeof *s->err);
	if (s->sheets == NULL || s->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned i = 0; i < threads; i++)
		s->sheets[i] = (struct sheets){ .heap.arena = &s->arena,
			.size = sheet };
	/* Room beyond the budget, for sheets that are not full. */
	return arena_init(&s->arena, (size_t)memory + memory / 2 + (1 << 26),
	    (size_t)memory, slab, huge, e);
}

struct reading {
	struct numbers *s;
	struct scatter *to; /* one for each thread */
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
numbers_new(const struct order *o, struct input *in, unsigned threads,
    uint64_t memory, struct hp_err *e)
{
	struct numbers *s = calloc(1, sizeof *s);

	if (s == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		return NULL;
	}
	s->batch.ops = &ops;
	s->batch.arena = &s->arena;
	if (init(s, o, in, threads, memory, e) == 0 && numbers_plan(s, e) == 0)
		return &s->batch;
	fini(&s->batch);
	return NULL;
}

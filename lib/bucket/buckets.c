#include <stdlib.h>

#include "bucket/bucket.h"
#include "bucket/buckets.h"
#include "bucket/engine.h"
#include "bucket/pass.h"
#include "bucket/plan.h"
#include "bucket/rounds.h"
#include "input/budget.h"
#include "input/mapped.h"

enum {
	/* maximum bytes of lines that one thread sorts at once */
	LINES_MOST = 1 << 22
};

static int
init(struct buckets *b, const struct order *o, struct input *in,
    struct budget *g, struct hp_err *e)
{
	budget_records(g, in);
	budget_input(g, in);
	view_init(&b->view, o);
	b->in = in;
	b->threads = g->threads;
	b->writers = g->writers;
	b->element = sizeof(struct entry);
	b->leaf = g->leaf / b->element;
	b->leaf_bytes = LINES_MOST;
	b->part = g->part / b->element;
	b->part_bytes = g->lines;
	b->gather = g->gather;
	b->want = g->buckets;
	/*
	 * Limits the length of keys that are built from parts of a record;
	 * longer keys are truncated. The limit is so large that truncation is
	 * rare. With keys of this length, half of the records that a thread
	 * sorts at once would fill the memory.
	 */
	if (b->view.key_most < 2 * g->cap / b->leaf)
		b->view.key_most = 2 * g->cap / b->leaf;
	b->heap = calloc(b->threads, sizeof *b->heap);
	b->err = calloc(b->writers, sizeof *b->err);
	if (b->heap == NULL || b->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned i = 0; i < b->threads; i++)
		b->heap[i].arena = &b->arena;
	return arena_init(&b->arena, g->addresses, g->cap, g->slab, g->huge, e);
}

static int
read_batch(struct batch *batch, struct hp_err *e)
{
	struct buckets *b = (struct buckets *)batch;
	int more;

	if (!b->planned && buckets_plan(b, e) == -1)
		return -1;
	if ((more = buckets_fill(b, e)) == -1)
		return -1;
	batch->bytes = b->in->given;
	batch->records = b->rounds.to != NULL ? batch->bytes / b->element : 0;
	for (size_t i = 0; i < b->nbuckets; i++)
		batch->records += b->bucket[i].n;
	return more;
}

/*
 * Sorts and writes the records in several rounds, each of which copies and
 * sorts the records of some buckets.
 */
static int
write_rounds(
    struct buckets *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	size_t bytes;
	uint64_t n;

	for (*records = 0; (bytes = rounds_next(b)) > 0; *records += n) {
		/*
		 * One bucket can have most of the records. A copy of these
		 * records and the text of the input do not fit into memory
		 * together, so drop the text after use.
		 */
		bool much = bytes > 2 * b->rounds.share;

		input_again(b->in, much);
		if (buckets_fill(b, e) == -1 ||
		    buckets_sort(b, out, &n, e) == -1)
			return -1;
		if (much)
			arena_trim(&b->arena);
	}
	return 0;
}

static int
write_batch(struct batch *batch, struct output *out, uint64_t *records,
    struct hp_err *e)
{
	struct buckets *b = (struct buckets *)batch;

	if ((b->rounds.to != NULL ? write_rounds : buckets_sort)(
		b, out, records, e) == -1)
		return -1;
	input_forget(b->in);
	return 0;
}

static void
fini(struct batch *batch)
{
	struct buckets *b = (struct buckets *)batch;

	buckets_forget(b);
	division_fini(&b->division);
	rounds_fini(&b->rounds);
	arena_fini(&b->arena);
	free(b->heap);
	free(b->err);
	free(b);
}

static const struct batch_ops ops = { read_batch, write_batch, fini };

struct batch *
buckets_new(const struct order *o, struct input *in,
    const struct budget *budget, struct hp_err *e)
{
	struct budget g = *budget;
	struct buckets *b = calloc(1, sizeof *b);

	if (b == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		return NULL;
	}
	b->batch.ops = &ops;
	b->batch.arena = &b->arena;
	if (init(b, o, in, &g, e) == 0)
		return &b->batch;
	fini(&b->batch);
	return NULL;
}

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/team.h"
#include "bucket/bucket.h"
#include "bucket/buckets.h"
#include "bucket/engine.h"
#include "bucket/pass.h"
#include "bucket/plan.h"
#include "bucket/rounds.h"
#include "input/mapped.h"

enum {
	PART_OF_ENTRIES = 1 << 16, /* bytes that a bucket should have */
	PART_OF_TEXT = 3 << 17,	   /* its entries are in the cache too */
	LEAF_MOST = 1 << 19,	   /* bytes: twice this fits an L2 cache */
	GATHER_MOST = 1 << 20,
	LINES_MOST = 1 << 22, /* bytes of lines that are sorted at once */
	SHARE = 4 << 20	      /* of a small input, for each thread */
};

static int
init(struct buckets *b, const struct order *o, struct input *in,
    unsigned threads, uint64_t memory, struct hp_err *e)
{
	size_t huge = input_huge(in, threads, memory), most, each, slab;

	threads = input_threads(in, threads, SHARE, memory);
	most = (size_t)memory / threads;
	each = input_room(in, memory) / threads;
	b->in = in;
	b->threads = threads;
	b->writers = threads + TEAM_SPARE;
	view_init(&b->view, o);
	b->element = sizeof(struct entry);
	b->leaf = size_clamp(most / 32, 1 << 13, LEAF_MOST);
	b->leaf = size_clamp(each / 16, 1 << 13, b->leaf);
	b->part = size_clamp(PART_OF_ENTRIES, 1, b->leaf) / b->element;
	b->part_bytes = size_clamp(each / 32, 1 << 13, PART_OF_TEXT);
	b->leaf_bytes = LINES_MOST;
	b->gather = size_clamp(each / 32, 1 << 16, GATHER_MOST);
	if (in->mapped)
		b->gather = size_clamp(in->total, 1 << 12, b->gather);
	slab = size_clamp(each / 64, 1 << 14, 1 << 18) / CHUNK * CHUNK;
	in->block = size_clamp(most / 64, 1 << 16, 1 << 20);
	in->block = size_clamp(each / 32, 1 << 16, in->block);
	memory -= threads * slab + b->writers * (2 * b->leaf + b->gather) +
	    input_own(in, threads);
	b->leaf /= b->element;
	/* So many keys that were cut leave no room for more. */
	if (b->view.key_most < 2 * memory / b->leaf)
		b->view.key_most = (size_t)(2 * memory / b->leaf);
	in->cap = (size_t)memory;
	/* At most a sixteenth of it is lost in chunks that are not full. */
	b->want = size_clamp(memory / 16 / CHUNK / threads, 1, SPREAD_MOST);
	b->heap = calloc(threads, sizeof *b->heap);
	b->err = calloc(b->writers, sizeof *b->err);
	if (b->heap == NULL || b->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned i = 0; i < threads; i++)
		b->heap[i].arena = &b->arena;
	/* Room beyond the budget for the last records of a batch, as their
	 * number and keys are estimates. */
	return arena_init(&b->arena, (size_t)memory + memory / 2 + (1 << 26),
	    (size_t)memory, slab, huge, e);
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

/* Round after round. */
static int
write_rounds(
    struct buckets *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	size_t bytes;
	uint64_t n;

	for (*records = 0; (bytes = rounds_next(b)) > 0; *records += n) {
		/* One bucket may have most of the records.  Then the input does
		 * not stay in memory beside them. */
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
buckets_new(const struct order *o, struct input *in, unsigned threads,
    uint64_t memory, struct hp_err *e)
{
	struct buckets *b = calloc(1, sizeof *b);

	if (b == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		return NULL;
	}
	b->batch.ops = &ops;
	b->batch.arena = &b->arena;
	if (init(b, o, in, threads, memory, e) == 0)
		return &b->batch;
	fini(&b->batch);
	return NULL;
}

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/team.h"
#include "bucket/buckets.h"

enum {
	PART_OF_ENTRIES = 1 << 16, /* bytes that a bucket should have */
	PART_OF_TEXT = 3 << 17,	   /* its entries are in the cache too */
	LEAF_MOST = 1 << 19,	   /* bytes: twice this fits an L2 cache */
	GATHER_MOST = 1 << 20,
	SHARE = 4 << 20 /* of a small input, for each thread */
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
	b->part_text = size_clamp(each / 32, 1 << 13, PART_OF_TEXT);
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

static void
forget_buckets(struct buckets *b)
{
	for (size_t i = 0; i < b->nlists; i++)
		free(b->lists[i]);
	free(b->lists);
	free(b->bucket);
	b->lists = NULL;
	b->bucket = NULL;
	b->nlists = b->nbuckets = 0;
}

static int
keep_lists(struct buckets *b, struct list *l, struct hp_err *e)
{
	struct list **grown = reallocarray(
	    b->lists, b->nlists + 1, sizeof *grown);

	if (grown == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	b->lists = grown;
	b->lists[b->nlists++] = l;
	return 0;
}

static int
first_error(const struct buckets *b, struct hp_err *e)
{
	for (unsigned i = 0; i < b->writers && e->kind == HP_NONE; i++)
		*e = b->err[i];
	return -1;
}

int
buckets_team(struct buckets *b, unsigned threads, int (*work)(void *, unsigned),
    void *ctx, struct hp_err *e)
{
	return team_run(threads, work, ctx, e) == 0 ? 0 : first_error(b, e);
}

int
buckets_team_spare(struct buckets *b, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *e)
{
	return team_run_spare(b->threads, work, ctx, e) == 0
	    ? 0
	    : first_error(b, e);
}

/* What goes before the lines of a leaf, kept as long as the batch. */
static int
make_prefix(struct buckets *b, const struct plan *p, struct bucket *k)
{
	size_t n = p->prefix.len + k->depth;
	unsigned char *s = heap_bytes(&b->heap[0], n + 1);

	if (s == NULL)
		return -1;
	if (p->prefix.len > 0)
		memcpy(s, p->prefix.at, p->prefix.len);
	memcpy(s + p->prefix.len, k->prefix.at, k->depth);
	k->prefix = (struct span){ s, n };
	k->depth = 0;
	return 0;
}

/* What bucket i of a plan is, but for its elements. */
static struct bucket
describe(const struct buckets *b, const struct plan *p, size_t i)
{
	struct bucket k = { .stage = p->stage };
	struct leaf l;

	l = p->tree.leaf[i];
	k.prefix.at = l.path;
	k.depth = l.depth;
	k.equal = l.equal;
	if (p->brief != NULL)
		k.brief = p->brief[i];
	if (l.ended && view_is_cut(&b->view, k.stage, k.depth))
		k.cut = k.equal = true;
	else if (l.ended && k.stage + 1 < b->view.stages) {
		k.stage++;
		k.depth = 0;
		k.brief = (struct brief){ 0 };
	} else
		k.sorted = l.ended;
	return k;
}

int
buckets_of(struct buckets *b, const struct plan *p, const struct pile *pile,
    struct bucket **out, struct hp_err *e)
{
	struct list *l = calloc(p->n * b->threads, sizeof *l);

	if (l == NULL || keep_lists(b, l, e) == -1) {
		free(l);
		return hp_fail(e, HP_NOMEM, "sort: out of memory");
	}
	for (size_t i = 0; i < p->n; i++, l += b->threads) {
		struct bucket k = describe(b, p, i);

		k.list = l;
		for (unsigned w = 0; w < b->threads; w++) {
			l[w] = pile[w].list[i];
			k.bytes += l[w].bytes;
			k.n += b->text ? l[w].n : l[w].bytes / b->element;
		}
		if (k.n > 0 && b->text && make_prefix(b, p, &k) == -1)
			return hp_fail(e, HP_NOMEM, "sort: out of memory");
		if (k.n > 0)
			*(*out)++ = k;
	}
	return 0;
}

int
buckets_fill(struct buckets *b, struct hp_err *e)
{
	struct pile *pile;
	struct bucket *end;
	int rc = -1, more;

	forget_buckets(b);
	b->bucket = end = calloc(b->plan.n, sizeof *b->bucket);
	pile = calloc(b->threads, sizeof *pile);
	if (b->bucket == NULL || pile == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	for (unsigned i = 0; i < b->threads; i++)
		if (pile_init(&pile[i], &b->heap[i], b->plan.n, e) == -1)
			goto out;
	if ((more = buckets_distribute(b, pile, e)) == -1)
		goto out;
	if (rounds_noting(&b->rounds))
		rounds_count(b, pile);
	else if (buckets_of(b, &b->plan, pile, &end, e) == -1)
		goto out;
	b->nbuckets = (size_t)(end - b->bucket);
	rc = more;
out:
	for (unsigned i = 0; pile != NULL && i < b->threads; i++)
		pile_fini(&pile[i]);
	free(pile);
	return rc;
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

int
buckets_sort(
    struct buckets *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	if (buckets_refine(b, e) == -1 ||
	    buckets_emit(b, out, records, e) == -1)
		return -1;
	forget_buckets(b);
	arena_reset(&b->arena);
	for (unsigned i = 0; i < b->threads; i++)
		b->heap[i] = (struct heap){ .arena = &b->arena };
	return 0;
}

static int
write_batch(struct batch *batch, struct output *out, uint64_t *records,
    struct hp_err *e)
{
	struct buckets *b = (struct buckets *)batch;

	if ((b->rounds.to != NULL ? rounds_write : buckets_sort)(
		b, out, records, e) == -1)
		return -1;
	input_forget(b->in);
	return 0;
}

static void
fini(struct batch *batch)
{
	struct buckets *b = (struct buckets *)batch;

	forget_buckets(b);
	buckets_plan_fini(&b->plan);
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

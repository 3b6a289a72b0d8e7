#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "sort/batch.h"
#include "sort/text.h"

enum {
	PART_OF_ENTRIES = 1 << 16, /* bytes that a bucket should have */
	PART_OF_TEXT = 3 << 17,	   /* its entries are in the cache too */
	UNKNOWN = 2000000,	   /* entries expected of a pipe */
	LEAF_MOST = 1 << 19,	   /* bytes: twice this fits an L2 cache */
	GATHER_MOST = 1 << 20,
	SMALL_INPUT = 1 << 20,
	STRETCHES = 2048,
	OFF_BITS_MOST = 40, /* of a brief element */
	MOVE_MOST = 64	    /* bytes of a line */
};

static size_t
clamp(uint64_t x, size_t low, size_t high)
{
	return x < low ? low : x > high ? high : (size_t)x;
}

/* What each record takes besides its text: an element, perhaps a key. */
static size_t
cost_of_record(const struct batch *b, const struct order *o)
{
	if (b->text)
		return TEXT_HEAD;
	if (b->view.kind != VIEW_BUILT)
		return b->element + 1;
	return b->element + sizeof(struct built) + 24 * (o->nfields + 1);
}

int
batch_init(struct batch *b, const struct order *o, struct input *in,
    unsigned threads, uint64_t memory, struct hp_err *e)
{
	size_t each = (size_t)(memory / threads), slab;

	*b = (struct batch){
		.in = in, .threads = threads, .writers = threads + TEAM_SPARE
	};
	view_init(&b->view, o);
	b->element = sizeof(struct entry);
	b->leaf = clamp(each / 32, 1 << 13, LEAF_MOST);
	b->part = clamp(PART_OF_ENTRIES, 1, b->leaf) / b->element;
	b->part_text = clamp(each / 32, 1 << 13, PART_OF_TEXT);
	b->gather = clamp(each / 32, 1 << 16, GATHER_MOST);
	slab = clamp(each / 64, 1 << 14, 1 << 18) / CHUNK * CHUNK;
	/* What is small needs no huge pages: to clear one takes longer. */
	if (in->mapped && in->total < SMALL_INPUT)
		slab = 1 << 14;
	in->block = clamp(each / 64, 1 << 16, 1 << 20);
	memory -= threads * slab + b->writers * (2 * b->leaf + b->gather);
	b->leaf /= b->element;
	in->cap = (size_t)memory;
	/* No more than a sixteenth of it is lost in chunks that are not full.
	 */
	b->want = clamp(memory / 16 / CHUNK / threads, 1, SPREAD_MOST);
	b->heap = calloc(threads, sizeof *b->heap);
	b->err = calloc(b->writers, sizeof *b->err);
	if (b->heap == NULL || b->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned i = 0; i < threads; i++)
		b->heap[i].arena = &b->arena;
	/* Room beyond the budget for the last records of a batch, as their
	 * number and keys are estimates. */
	return arena_init(
	    &b->arena, (size_t)memory + memory / 2 + (1 << 26), slab, e);
}

int
batch_plan_init(struct batch *b, struct plan *p, struct hp_err *e)
{
	p->n = p->tree.buckets;
	if (!b->brief)
		return 0;
	p->brief = briefs_new(&p->tree, b->view.flip[p->stage], e);
	return p->brief == NULL ? -1 : 0;
}

void
batch_plan_fini(struct plan *p)
{
	tree_fini(&p->tree);
	free(p->brief);
	p->brief = NULL;
}

static void
forget_buckets(struct batch *b)
{
	for (size_t i = 0; i < b->nlists; i++)
		free(b->lists[i]);
	free(b->lists);
	free(b->bucket);
	b->lists = NULL;
	b->bucket = NULL;
	b->nlists = b->nbuckets = 0;
}

void
batch_fini(struct batch *b)
{
	forget_buckets(b);
	batch_plan_fini(&b->plan);
	arena_fini(&b->arena);
	free(b->heap);
	free(b->err);
	b->heap = NULL;
	b->err = NULL;
}

static int
keep_lists(struct batch *b, struct list *l, struct hp_err *e)
{
	struct list **grown = reallocarray(
	    b->lists, b->nlists + 1, sizeof *grown);

	if (grown == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	b->lists = grown;
	b->lists[b->nlists++] = l;
	return 0;
}

/* The end of the record at s; the text ends at end. */
static const unsigned char *
record_end(
    const struct format *f, const unsigned char *s, const unsigned char *end)
{
	const unsigned char *p;

	if (f->kind != FORMAT_LINE)
		return s + f->size;
	p = memchr(s, f->delim, (size_t)(end - s));
	return p == NULL ? end : p;
}

/* The sample of a plan. */
struct sample {
	struct span *string;
	size_t n, most;
};

static int
sample_record(struct batch *b, struct span record, struct keybuf *buf,
    struct sample *to, struct hp_err *e)
{
	struct key k;
	void *copy;

	if (b->view.kind == VIEW_SLICE)
		to->string[to->n] = view_slice(&b->view, record);
	else if (order_primary(b->view.order, record.at, record.len, buf, &k) ==
		-1 ||
	    (copy = heap_bytes(&b->heap[0], k.primary + 1)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	else {
		memcpy(copy, k.bytes, k.primary);
		to->string[to->n] = (struct span){ copy, k.primary };
	}
	to->n++;
	return 0;
}

/* At most `most` records of the text. */
static int
sample_text(struct batch *b, const struct block *t, size_t most,
    struct sample *to, struct hp_err *e)
{
	const struct format *f = b->in->format;
	const unsigned char *s = t->start, *end;
	struct keybuf buf = { 0 };
	int rc = 0;

	most = most < to->most - to->n ? most : to->most - to->n;
	for (; s < t->end && most > 0 && rc == 0; most--) {
		end = record_end(f, s, t->end);
		if (end > t->end) /* a stretch ends anywhere */
			break;
		rc = sample_record(
		    b, (struct span){ s, (size_t)(end - s) }, &buf, to, e);
		s = end + (f->kind == FORMAT_LINE);
	}
	keybuf_fini(&buf);
	return rc;
}

/* How many records the input will have, by those in a stretch of it. */
static uint64_t
expect_records(const struct batch *b, const struct block *first)
{
	const unsigned char *s = first->start, *end;
	uint64_t n = 0, bytes = (uint64_t)(first->end - first->start);

	if (bytes == 0)
		return 0;
	for (; s < first->end; n++) {
		end = record_end(b->in->format, s, first->end);
		s = end + (b->in->format->kind == FORMAT_LINE);
	}
	if (b->in->total > 0)
		return (
		    uint64_t)((double)b->in->total / (double)bytes * (double)n);
	return b->in->eof ? n : UNKNOWN;
}

/* Is the key all of a line?  Then equal lines are the same. */
static bool
whole_lines(const struct order *o)
{
	return o->format.kind == FORMAT_LINE && o->slice && o->slice_off == 0 &&
	    o->slice_len == SIZE_MAX;
}

/* How many buckets there should be. */
static size_t
want_buckets(struct batch *b, const struct block *first)
{
	uint64_t expect = expect_records(b, first), want = expect / b->part;
	if (expect <= b->leaf)
		b->threads = 1;
	if (expect <= b->leaf)
		return 1;
	return clamp(want, 1, b->want);
}

static int
take_sample(struct batch *b, const struct block *first, struct sample *to,
    struct hp_err *e)
{
	struct block *t = calloc(STRETCHES, sizeof *t);
	size_t found, i = 0;
	int rc = 0;

	if (t == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	found = input_sample(
	    b->in, t, to->most < STRETCHES ? to->most : STRETCHES);
	for (; rc == 0 && i < found; i++)
		rc = sample_text(b, &t[i], to->most / found + 1, to, e);
	if (rc == 0 && to->n < to->most / 8)
		rc = sample_text(b, first, SIZE_MAX, to, e);
	free(t);
	return rc;
}

/*
 * Lines are moved, but for what all in a bucket have in common, where that
 * leaves little enough of them.  It pays in memory when they are short.
 */
static void
choose_elements(struct batch *b, const struct sample *s)
{
	const struct order *o = b->view.order;
	const struct tree *t = &b->plan.tree;
	size_t left = 0;

	for (size_t i = 0; whole_lines(o) && i < s->n; i++)
		left += s->string[i].len -
		    t->leaf[tree_find(t, s->string[i])].depth;
	b->text = whole_lines(o) && left <= s->n * MOVE_MOST;
	b->off_bits = 64 - (unsigned)__builtin_clzll(b->in->reserved);
	b->brief = !b->text && b->view.kind == VIEW_SLICE &&
	    o->format.size < PLACE_LONG && b->off_bits <= OFF_BITS_MOST;
	if (b->brief)
		b->element = sizeof(uint64_t);
	/* Its tables are not worth it for a few. */
	b->kernel = b->want == 1 ? &kernel_plain : kernel_best();
	b->in_order = (o->stable || o->unique) && !b->text;
	b->in->passing = b->text;
	b->in->copied = b->text;
	b->in->per_record = cost_of_record(b, o);
}

/* Choose the buckets by a sample. */
static int
plan(struct batch *b, struct hp_err *e)
{
	struct plan *p = &b->plan;
	struct sample s = { 0 };
	struct block first;
	int rc = -1;

	if (input_peek(b->in, &first, e) == -1)
		return -1;
	b->want = want_buckets(b, &first);
	s.most = b->want == 1 ? 0 : b->want * TREE_PER_BUCKET;
	s.string = calloc(s.most + 1, sizeof *s.string);
	if (s.string == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	if (s.most > 0 && take_sample(b, &first, &s, e) == -1)
		goto out;
	rc = tree_init(&p->tree, s.string, s.n, 0, b->want, b->view.flip[0], e);
	if (rc == 0) {
		choose_elements(b, &s);
		rc = batch_plan_init(b, p, e);
	}
	b->planned = rc == 0;
out:
	free(s.string);
	return rc;
}

/* One thread that reads, and the keys whose buckets it looks for together. */
struct reader {
	struct batch *batch;
	struct pile *pile;
	struct block block;
	struct keybuf buf;
	struct span key[TREE_MANY];
	uint64_t place[TREE_MANY];
	size_t n;
};

/* A place for len bytes, or 0. */
static inline uint64_t
place_new(struct heap *h, const void *at, size_t len)
{
	struct span *s;

	if (__builtin_expect(len < PLACE_LONG, 1))
		return place_make(at, len);
	if ((s = heap_bytes(h, sizeof *s)) == NULL)
		return 0;
	*s = (struct span){ at, len };
	return place_make(s, PLACE_LONG);
}

/* What is left of a line moves to list `to`, unless it is too long to copy:
 * what was read before it is not needed then, and the rest of the block begins
 * behind the line. */
static int
put_line(struct reader *r, struct span line, size_t to)
{
	struct heap *h = r->pile->heap;
	size_t depth = r->batch->plan.tree.leaf[to].depth;
	uint64_t place;

	line.at += depth;
	line.len -= depth;
	if (line.len <= TEXT_NEAR_MOST)
		return text_put_near(r->pile, to, line);
	if (line.len < PLACE_LONG)
		place = text_keep(h, line);
	else {
		place = place_new(h, line.at, line.len);
		input_keep(
		    r->batch->in, &r->block, line.at, line.at + line.len);
	}
	return place == 0 ? -1 : text_put_far(r->pile, to, place);
}

/* Those that wait go to their buckets. */
static int
flush(struct reader *r)
{
	const struct batch *b = r->batch;
	uint16_t to[TREE_MANY];
	int rc = 0;

	tree_find_many(&b->plan.tree, r->key, r->n, to);
	for (size_t i = 0; i < r->n && rc == 0; i++)
		rc = b->text ? put_line(r, r->key[i], to[i])
			     : batch_put(b, &b->plan, r->pile, to[i], r->key[i],
				   r->place[i]);
	r->n = 0;
	return rc;
}

static inline int
put(struct reader *r, uint64_t place, struct span key)
{
	r->key[r->n] = key;
	r->place[r->n++] = place;
	return r->n == TREE_MANY ? flush(r) : 0;
}

/* Build the key first. */
static int
put_built(struct reader *r, const unsigned char *s, size_t len)
{
	struct heap *h = r->pile->heap;
	uint64_t place, record = place_new(h, s, len);
	struct built *built;
	struct key k;

	if (record == 0 ||
	    order_primary(r->batch->view.order, s, len, &r->buf, &k) == -1 ||
	    (built = heap_bytes(h, sizeof *built + k.primary)) == NULL)
		return -1;
	built->record = record;
	memcpy(built->bytes, k.bytes, k.primary);
	if ((place = place_new(h, built, k.primary)) == 0)
		return -1;
	return put(r, place, (struct span){ built->bytes, k.primary });
}

static int
read_slices(struct reader *r)
{
	const struct batch *b = r->batch;
	const unsigned char *s = r->block.start, *t = r->block.end, *end;
	bool delim = b->in->format->kind == FORMAT_LINE;
	struct span span;
	uint64_t place = 0;

	for (; s < t; s = end + delim) {
		end = record_end(b->in->format, s, t);
		span = (struct span){ s, (size_t)(end - s) };
		if (b->brief)
			place = (uint64_t)(s - b->in->base);
		else if (!b->text &&
		    (place = place_new(r->pile->heap, s, span.len)) == 0)
			return -1;
		if (put(r, place, view_slice(&b->view, span)) == -1)
			return -1;
	}
	return flush(r);
}

static int
read_built(struct reader *r)
{
	const struct format *f = r->batch->in->format;
	const unsigned char *s = r->block.start, *t = r->block.end, *end;

	for (; s < t; s = end + (f->kind == FORMAT_LINE)) {
		end = record_end(f, s, t);
		if (put_built(r, s, (size_t)(end - s)) == -1)
			return -1;
	}
	return flush(r);
}

struct reading {
	struct batch *batch;
	struct pile *pile;
	_Atomic int more;
};

static int
read_worker(void *ctx, unsigned i)
{
	struct reading *r = ctx;
	struct batch *b = r->batch;
	struct reader me = { .batch = b, .pile = &r->pile[i] };
	int rc, got;

	for (rc = 0; rc == 0;) {
		got = input_block(b->in, &b->arena, &me.block, &b->err[i]);
		if (got == INPUT_FULL)
			r->more = 1;
		if (got != INPUT_BLOCK) {
			rc = got == -1 ? -1 : 0;
			break;
		}
		rc = b->view.kind == VIEW_BUILT ? read_built(&me)
						: read_slices(&me);
		if (rc == -1)
			hp_fail(&b->err[i], HP_NOMEM, "sort: out of memory");
	}
	keybuf_fini(&me.buf);
	pile_close(me.pile);
	return rc;
}

static int
first_error(const struct batch *b, struct hp_err *e)
{
	for (unsigned i = 0; i < b->writers && e->kind == HP_NONE; i++)
		*e = b->err[i];
	return -1;
}

int
batch_team(
    struct batch *b, int (*work)(void *, unsigned), void *ctx, struct hp_err *e)
{
	return team_run(b->threads, work, ctx, e) == 0 ? 0 : first_error(b, e);
}

int
batch_team_spare(
    struct batch *b, int (*work)(void *, unsigned), void *ctx, struct hp_err *e)
{
	return team_run_spare(b->threads, work, ctx, e) == 0
	    ? 0
	    : first_error(b, e);
}

/* What goes before the lines of a leaf, kept as long as the batch. */
static int
make_prefix(struct batch *b, const struct plan *p, struct bucket *k)
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
describe(const struct batch *b, const struct plan *p, size_t i)
{
	struct bucket k = { .stage = p->stage };
	struct leaf l;

	l = p->tree.leaf[i];
	k.prefix.at = l.path;
	k.depth = l.depth;
	k.equal = l.equal;
	if (l.ended && k.stage + 1 < b->view.stages) {
		k.stage++;
		k.depth = 0;
	} else
		k.sorted = l.ended;
	return k;
}

int
batch_buckets(struct batch *b, const struct plan *p, const struct pile *pile,
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

static struct ordered_job
ordered_job(const struct batch *b)
{
	const struct order *o = b->view.order;

	return (struct ordered_job){ .view = &b->view,
		.in = b->in,
		.unique = o->unique,
		.stable = o->stable || o->unique,
		.threads = b->in->total < SMALL_INPUT ? 1 : b->threads,
		.step = b->gather,
		.err = b->err };
}

/* Is all in order?  1 when so. */
static int
read_ordered(struct batch *b, struct hp_err *e)
{
	struct ordered_job j = ordered_job(b);
	int how = ordered_look(&j, &b->records, e);

	if (how <= 0)
		return how;
	b->ordered = (enum ordered)how;
	b->bytes = b->in->total;
	if (b->in->progress != NULL)
		b->in->progress->read += b->bytes;
	return 1;
}

int
batch_read(struct batch *b, struct hp_err *e)
{
	struct reading r = { .batch = b };
	struct bucket *end;
	int rc = -1;

	if (!b->planned) {
		if ((rc = read_ordered(b, e)) != 0)
			return rc == 1 ? 0 : -1;
		rc = -1;
		if (plan(b, e) == -1)
			return -1;
	}
	b->bucket = end = calloc(b->plan.n, sizeof *b->bucket);
	r.pile = calloc(b->threads, sizeof *r.pile);
	if (b->bucket == NULL || r.pile == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	for (unsigned i = 0; i < b->threads; i++)
		if (pile_init(&r.pile[i], &b->heap[i], b->plan.n, e) == -1)
			goto out;
	if (batch_team(b, read_worker, &r, e) == -1)
		goto out;
	if (batch_buckets(b, &b->plan, r.pile, &end, e) == -1)
		goto out;
	b->nbuckets = (size_t)(end - b->bucket);
	b->records = 0;
	for (size_t i = 0; i < b->nbuckets; i++)
		b->records += b->bucket[i].n;
	b->bytes = b->in->given;
	rc = r.more;
out:
	for (unsigned i = 0; r.pile != NULL && i < b->threads; i++)
		pile_fini(&r.pile[i]);
	free(r.pile);
	return rc;
}

int
batch_write(
    struct batch *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	struct ordered_job j = ordered_job(b);

	if (b->ordered != ORDERED_NOT) {
		*records = b->records;
		return ordered_write(&j, b->ordered, out, e);
	}
	if (batch_refine(b, e) == -1 || batch_emit(b, out, records, e) == -1)
		return -1;
	forget_buckets(b);
	arena_reset(&b->arena);
	for (unsigned i = 0; i < b->threads; i++)
		b->heap[i] = (struct heap){ .arena = &b->arena };
	input_forget(b->in);
	return 0;
}

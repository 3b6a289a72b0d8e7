#include <stdlib.h>
#include <string.h>

#include "sort/batch.h"
#include "sort/team.h"

enum {
	PART_OF_ENTRIES = 1 << 16, /* bytes that a bucket should have */
	PART_OF_NUMBERS = 1 << 18,
	UNKNOWN = 2000000,   /* entries expected of a pipe */
	LEAF_MOST = 1 << 19, /* bytes: twice this fits an L2 cache */
	GATHER_MOST = 1 << 20,
	SAMPLES = 1 << 15,
	STRETCHES = 2048,
	STRETCH_RECORDS = SAMPLES / STRETCHES
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
	b->in_order = (o->stable || o->unique) && b->view.kind != VIEW_NUMBER;
	b->element = sizeof(struct entry);
	b->part = PART_OF_ENTRIES;
	if (b->view.kind == VIEW_NUMBER) {
		number_init(&b->number, o);
		b->element = b->number.element;
		b->part = PART_OF_NUMBERS;
		in->passing = true;
	}
	b->leaf = clamp(each / 32, 1 << 13, LEAF_MOST);
	b->part = clamp(b->part, 1, b->leaf) / b->element;
	b->gather = clamp(each / 32, 1 << 16, GATHER_MOST);
	slab = clamp(each / 64, 1 << 14, 1 << 18) / CHUNK * CHUNK;
	in->per_record = cost_of_record(b, o);
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
	spread_fini(&b->spread);
	arena_fini(&b->arena);
	free(b->heap);
	free(b->err);
	b->heap = NULL;
	b->err = NULL;
}

int
batch_keep_lists(struct batch *b, struct list *l, struct hp_err *e)
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

static int
sample_key(struct batch *b, const unsigned char *s, size_t len,
    struct keybuf *buf, uint64_t *key, struct hp_err *e)
{
	struct span span = { s, len };
	struct key k;

	if (b->view.kind == VIEW_NUMBER)
		*key = number_load(b->view.order, s) >>
		    (64 - 8 * b->number.size);
	else if (b->view.kind == VIEW_SLICE)
		*key = span_load(
		    view_slice(&b->view, span), 0, b->view.flip[0]);
	else if (order_key(b->view.order, s, len, buf, &k) == -1)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	else
		*key = load_top(k.bytes, k.primary);
	return 0;
}

/* Keys of at most `most` records of the text, evenly spread; how many. */
static int
sample_text(struct batch *b, const struct block *t, size_t step, size_t most,
    uint64_t *key, size_t *n, struct hp_err *e)
{
	const struct format *f = &b->in->format[0];
	const unsigned char *s = t->start, *end;
	struct keybuf buf = { 0 };
	size_t i = 0;
	int rc = 0;

	while (s < t->end && most > 0 && rc == 0) {
		end = record_end(f, s, t->end);
		if (end > t->end) /* a stretch ends anywhere */
			break;
		if (i++ % step == 0) {
			rc = sample_key(
			    b, s, (size_t)(end - s), &buf, &key[*n], e);
			++*n;
			most--;
		}
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

/* Choose the buckets by a sample. */
static int
plan(struct batch *b, struct hp_err *e)
{
	struct block *t = calloc(STRETCHES, sizeof *t), first;
	uint64_t *key = calloc(SAMPLES, sizeof *key), expect;
	size_t n = 0, found;
	int rc = -1;

	if (t == NULL || key == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	if (input_peek(b->in, &first, e) == -1)
		goto out;
	expect = expect_records(b, &first);
	b->want = clamp(expect / b->part, 1, b->want);
	if (expect <= b->leaf) {
		b->threads = 1;
		b->want = 1;
	}
	found = b->want == 1 ? 0 : input_sample(b->in, t, STRETCHES);
	for (size_t i = 0; i < found; i++)
		if (sample_text(b, &t[i], 1, STRETCH_RECORDS, key, &n, e) == -1)
			goto out;
	if (b->want > 1 && n < SAMPLES / 8 &&
	    sample_text(b, &first, 1, SAMPLES - n, key, &n, e) == -1)
		goto out;
	rc = spread_init(&b->spread, key, n, b->want, e);
	b->planned = rc == 0;
out:
	free(t);
	free(key);
	return rc;
}

/* An entry for the record, in its bucket. */
static inline int
put(const struct spread *s, struct pile *p, uint64_t place, uint64_t key)
{
	struct entry *x = pile_put(p, spread_bucket(s, key), sizeof *x);

	if (x == NULL)
		return -1;
	*x = (struct entry){ key, place };
	return 0;
}

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

/* Build the key first. */
static int
put_built(struct batch *b, struct pile *p, const unsigned char *s, size_t len,
    struct keybuf *buf)
{
	uint64_t place, record = place_new(p->heap, s, len);
	struct built *built;
	struct key k;

	if (record == 0 || order_key(b->view.order, s, len, buf, &k) == -1 ||
	    (built = heap_bytes(p->heap, sizeof *built + k.primary)) == NULL)
		return -1;
	built->record = record;
	memcpy(built->bytes, k.bytes, k.primary);
	if ((place = place_new(p->heap, built, k.primary)) == 0)
		return -1;
	return put(&b->spread, p, place, load_top(k.bytes, k.primary));
}

static int
read_lines(struct batch *b, struct pile *p, const struct block *t)
{
	const unsigned char *s = t->start, *end;
	unsigned char delim = b->in->format->delim;
	bool flip = b->view.flip[0];
	struct span span;
	uint64_t place;

	for (; s < t->end; s = end + 1) {
		end = memchr(s, delim, (size_t)(t->end - s));
		end = end == NULL ? t->end : end;
		span = (struct span){ s, (size_t)(end - s) };
		if ((place = place_new(p->heap, s, span.len)) == 0 ||
		    put(&b->spread, p, place,
			span_load(view_slice(&b->view, span), 0, flip)) == -1)
			return -1;
	}
	return 0;
}

static int
read_records(struct batch *b, struct pile *p, const struct block *t)
{
	const struct view *v = &b->view;
	size_t size = b->in->format->size;
	struct span span;
	uint64_t place;

	for (const unsigned char *s = t->start; s < t->end; s += size) {
		span = (struct span){ s, size };
		if ((place = place_new(p->heap, s, size)) == 0 ||
		    put(&b->spread, p, place,
			span_load(view_slice(v, span), 0, v->flip[0])) == -1)
			return -1;
	}
	return 0;
}

static int
read_built(
    struct batch *b, struct pile *p, const struct block *t, struct keybuf *buf)
{
	const struct format *f = b->in->format;
	const unsigned char *s = t->start, *end;

	for (; s < t->end; s = end + (f->kind == FORMAT_LINE)) {
		end = record_end(f, s, t->end);
		if (put_built(b, p, s, (size_t)(end - s), buf) == -1)
			return -1;
	}
	return 0;
}

static int
read_block(
    struct batch *b, struct pile *p, const struct block *t, struct keybuf *buf)
{
	switch (b->view.kind) {
	case VIEW_BUILT:
		return read_built(b, p, t, buf);
	case VIEW_NUMBER:
		return number_read(&b->number, &b->spread, p, t->start, t->end);
	case VIEW_SLICE:
		break;
	}
	return b->in->format->kind == FORMAT_LINE ? read_lines(b, p, t)
						  : read_records(b, p, t);
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
	struct pile *p = &r->pile[i];
	struct block t = { 0 };
	struct keybuf buf = { 0 };
	int rc, got;

	for (rc = 0; rc == 0;) {
		got = input_block(b->in, &b->arena, &t, &b->err[i]);
		if (got == INPUT_FULL)
			r->more = 1;
		if (got != INPUT_BLOCK) {
			rc = got == -1 ? -1 : 0;
			break;
		}
		rc = read_block(b, p, &t, &buf);
		if (rc == -1)
			hp_fail(&b->err[i], HP_NOMEM, "sort: out of memory");
	}
	keybuf_fini(&buf);
	pile_close(p);
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

/* Buckets of what the threads' piles hold, in order, equal ones marked. */
static int
make_buckets(struct batch *b, struct pile *pile, const struct spread *s,
    struct bucket *out, struct hp_err *e)
{
	size_t n = s->buckets;
	struct list *l = calloc(n * b->threads, sizeof *l);

	if (l == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu buckets", n);
	if (batch_keep_lists(b, l, e) == -1) {
		free(l);
		return -1;
	}
	for (size_t i = 0; i < n; i++, l += b->threads) {
		out[i] = (struct bucket){ .list = l, .equal = s->equal[i] };
		for (unsigned w = 0; w < b->threads; w++) {
			l[w] = pile[w].list[i];
			out[i].n += l[w].bytes / b->element;
		}
		out[i].sorted = out[i].equal && b->view.kind == VIEW_NUMBER;
	}
	return 0;
}

int
batch_read(struct batch *b, struct hp_err *e)
{
	struct reading r = { .batch = b };
	int rc = -1;

	if (!b->planned && plan(b, e) == -1)
		return -1;
	b->nbuckets = b->spread.buckets;
	b->bucket = calloc(b->nbuckets, sizeof *b->bucket);
	r.pile = calloc(b->threads, sizeof *r.pile);
	if (b->bucket == NULL || r.pile == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	for (unsigned i = 0; i < b->threads; i++)
		if (pile_init(&r.pile[i], &b->heap[i], b->nbuckets, e) == -1)
			goto out;
	if (batch_team(b, read_worker, &r, e) == -1)
		goto out;
	if (make_buckets(b, r.pile, &b->spread, b->bucket, e) == -1)
		goto out;
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
	if (batch_refine(b, e) == -1 || batch_emit(b, out, records, e) == -1)
		return -1;
	forget_buckets(b);
	arena_reset(&b->arena);
	for (unsigned i = 0; i < b->threads; i++)
		b->heap[i] = (struct heap){ .arena = &b->arena };
	input_forget(b->in);
	return 0;
}

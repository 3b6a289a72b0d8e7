#include <stdlib.h>
#include <string.h>

#include "bucket/briefs.h"
#include "bucket/entries.h"
#include "bucket/kind.h"
#include "bucket/lines.h"
#include "bucket/moved.h"
#include "bucket/plan.h"
#include "bucket/rounds.h"
#include "input/mapped.h"
#include "input/sample.h"
#include "input/window.h"
#include "record/key.h"
#include "record/keybuf.h"

enum {
	UNKNOWN = 2000000, /* assumed size of a pipe, in records */
	/* number of places in the input from which the sample is taken */
	STRETCHES = 2048,
	/*
	 * Lines are copied to their buckets if their mean length without common
	 * prefixes is at most this many bytes.
	 */
	LINE_MOVE_MOST = 128,
	/*
	 * Binary records are copied to their buckets if they have at most this
	 * many bytes.
	 */
	RECORD_MOVE_MOST = 144,
	/*
	 * assumed number of bytes of the key that is built from a record, per
	 * byte of the record
	 */
	KEY_OF_BYTE = 4
};

/* A sample of keys. */
struct sample {
	struct span *string;
	size_t n, most;
};

static int
sample_record(struct buckets *b, struct span record, struct keybuf *buf,
    struct sample *to, struct hp_err *e)
{
	struct span key = { 0 };
	struct key k;
	void *copy;

	buf->most = b->view.key_most;
	if (b->view.kind == VIEW_SLICE)
		key = view_slice(&b->view, record);
	else if (order_primary(b->view.order, record.at, record.len, buf, &k) ==
	    0)
		key = (struct span){ k.bytes, k.primary };
	else
		return hp_fail_errno(e, HP_NOMEM, "sort");
	if ((copy = heap_bytes(&b->heap[0], key.len + 1)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	memcpy(copy, key.at, key.len);
	to->string[to->n++] = (struct span){ copy, key.len };
	return 0;
}

/*
 * Adds the keys of the first records of the text to the sample. Adds at most
 * `most` keys.
 */
static int
sample_text(struct buckets *b, const struct block *t, size_t most,
    struct sample *to, struct hp_err *e)
{
	const struct format *f = b->in->format;
	const unsigned char *s = t->start, *end;
	struct keybuf buf = { 0 };
	int rc = 0;

	most = most < to->most - to->n ? most : to->most - to->n;
	for (; s < t->end && most > 0 && rc == 0; most--) {
		end = scan_end(f, s, t->end);
		if (end > t->end) /* the text may end inside a record */
			break;
		rc = sample_record(
		    b, (struct span){ s, (size_t)(end - s) }, &buf, to, e);
		s = end + scan_delim(f);
	}
	keybuf_fini(&buf);
	return rc;
}

/*
 * Estimates the number of records in the input from the mean size of the
 * records in its first block.
 */
static uint64_t
expect_records(const struct buckets *b, const struct block *first)
{
	const struct format *f = b->in->format;
	const unsigned char *s = first->start, *end;
	uint64_t n = 0, bytes = (uint64_t)(first->end - first->start);

	if (bytes == 0)
		return 0;
	for (; s < first->end; n++) {
		end = scan_end(f, s, first->end);
		s = end + scan_delim(f);
	}
	if (b->in->total > 0)
		return (
		    uint64_t)((double)b->in->total / (double)bytes * (double)n);
	return b->in->eof ? n : UNKNOWN;
}

/* Returns whether the sort key is the whole line. */
static bool
whole_lines(const struct order *o)
{
	return o->format.size == 0 && o->slice && o->slice_off == 0 &&
	    o->slice_len == SIZE_MAX;
}

/*
 * Returns how many buckets to ask for. If one bucket suffices, also reduces the
 * number of threads to 1.
 */
static size_t
want_buckets(struct buckets *b, const struct block *first)
{
	uint64_t expect = expect_records(b, first), want = expect / b->part;
	/*
	 * Each list of each bucket wastes half a chunk on average. With this
	 * many buckets the waste is 1/32 of the input.
	 */
	uint64_t most = b->in->total / (16 * CHUNK * b->threads) + 2;

	if (b->in->total > 0 && want > most)
		want = most;
	if (expect <= b->leaf) {
		b->threads = 1;
		return 1;
	}
	return want < 1 ? 1 : want < b->want ? (size_t)want : b->want;
}

static int
take_sample(struct buckets *b, const struct block *first, struct sample *to,
    struct hp_err *e)
{
	struct block *t = calloc(STRETCHES, sizeof *t);
	unsigned char buffer[SAMPLE_PART];
	size_t found, i = 0, each;
	int rc = 0;

	if (t == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	found = input_sample(
	    b->in, t, to->most < STRETCHES ? to->most : STRETCHES);
	each = found == 0 ? 0 : to->most / found + 1;
	for (; rc == 0 && i < found; i++) {
		rc = input_part(b->in, &t[i], each, buffer, e);
		if (rc == 0)
			rc = sample_text(b, &t[i], each, to, e);
	}
	if (rc == 0 && to->n < to->most / 8)
		rc = sample_text(b, first, SIZE_MAX, to, e);
	free(t);
	return rc;
}

/*
 * Returns whether to copy the records to their buckets: only short records, and
 * only if equal records need not keep the order of the input.
 */
static bool
may_move(const struct buckets *b, const struct order *o)
{
	return b->view.kind == VIEW_SLICE && o->format.size > 0 &&
	    o->format.size <= RECORD_MOVE_MOST && b->want > 1 && !o->stable &&
	    !o->unique && briefs_off_bits(b->arena.reserved) <= OFF_BITS_MOST;
}

/*
 * Returns whether the lines are so short that copying them takes less memory
 * than pointing to them. A copy omits the prefix that all lines of its bucket
 * share.
 */
static bool
lines_are_short(const struct buckets *b, const struct sample *s)
{
	const struct tree *t = &b->division.tree;
	size_t left = 0;

	for (size_t i = 0; i < s->n; i++)
		left += s->string[i].len -
		    t->leaf[tree_find(t, s->string[i])].depth;
	return left <= s->n * LINE_MOVE_MOST;
}

static const struct kind *
choose_kind(const struct buckets *b, const struct sample *s)
{
	const struct order *o = b->view.order;

	if (whole_lines(o) && lines_are_short(b, s))
		return &kind_lines;
	if (may_move(b, o))
		return &kind_moved;
	if (b->view.kind == VIEW_SLICE && o->format.size < PLACE_LONG &&
	    briefs_off_bits(b->in->reserved) <= OFF_BITS_MOST)
		return &kind_briefs;
	return &kind_entries;
}

static void
choose_elements(struct buckets *b, const struct sample *s)
{
	const struct order *o = b->view.order;

	b->in_order = o->stable || o->unique;
	/*
	 * The fastest sorting functions need tables, which take too long to set
	 * up for few elements.
	 */
	b->kernel = b->want == 1 ? &kernel_plain : kernel_best();
	b->in->per_byte = b->view.kind == VIEW_BUILT ? KEY_OF_BYTE : 0;
	b->in->key_most = b->view.key_most;
	b->kind = choose_kind(b, s);
	b->kind->choose(b);
}

int
buckets_plan(struct buckets *b, struct hp_err *e)
{
	struct division *d = &b->division;
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
	rc = tree_init(&d->tree, s.string, s.n, 0, b->want, b->view.flip[0], e);
	if (rc == 0) {
		choose_elements(b, &s);
		rc = division_init(d, b->kind->briefs, b->view.flip[0], e);
	}
	if (rc == 0)
		rc = rounds_plan(b, e);
	if (b->in->passing)
		input_drop(b->in);
	b->planned = rc == 0;
out:
	free(s.string);
	return rc;
}

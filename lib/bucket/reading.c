#include <stdatomic.h>
#include <string.h>

#include "bucket/kind.h"
#include "bucket/phase.h"
#include "bucket/reader.h"
#include "bucket/reading.h"
#include "bucket/rounds.h"
#include "input/blocks.h"
#include "kernel/walk.h"
#include "record/key.h"
#include "record/keybuf.h"

enum {
	/*
	 * A buffer for keys that grew beyond this many bytes is freed after
	 * each use.
	 */
	LONG = 1 << 17
};

/* Puts the collected records into their buckets. */
static int
flush(struct reader *r)
{
	const struct buckets *b = r->buckets;
	uint16_t to[TREE_MANY];
	int rc;

	tree_find_many(&b->division.tree, r->key, r->n, to);
	rc = b->kind->put(r, to);
	r->n = 0;
	return rc;
}

static inline int
collect(struct reader *r, struct span record, struct span key)
{
	r->record[r->n] = record;
	r->key[r->n++] = key;
	return r->n == TREE_MANY ? flush(r) : 0;
}

static int
build_key(struct reader *r, const unsigned char *s, size_t len)
{
	struct heap *h = r->pile->heap;
	uint64_t record = reader_place(r, s, len);
	struct built *built;
	struct key k;

	r->longest = len > r->longest ? len : r->longest;
	if (record == 0 ||
	    order_primary(r->buckets->view.order, s, len, &r->buf, &k) == -1 ||
	    (built = heap_bytes(h, sizeof *built + k.primary)) == NULL)
		return -1;
	built->record = record;
	memcpy(built->bytes, k.bytes, k.primary);
	if (r->buf.cap > LONG)
		keybuf_fini(&r->buf);
	return collect(r, (struct span){ (const void *)built, k.primary },
	    (struct span){ built->bytes, k.primary });
}

static int
read_built(struct reader *r)
{
	const struct format *f = r->buckets->in->format;
	const unsigned char *s = r->block.start, *t = r->block.end, *end;

	for (; s < t; s = end + scan_delim(f)) {
		end = scan_end(f, s, t);
		if (build_key(r, s, (size_t)(end - s)) == -1)
			return -1;
	}
	return flush(r);
}

static int
read_slices(struct reader *r)
{
	const struct buckets *b = r->buckets;
	const unsigned char *s = r->block.start, *t = r->block.end, *end;
	size_t delim = scan_delim(b->in->format);
	struct span span;

	for (; s < t; s = end + delim) {
		end = scan_end(b->in->format, s, t);
		span = (struct span){ s, (size_t)(end - s) };
		r->longest = span.len > r->longest ? span.len : r->longest;
		if (collect(r, span, view_slice(&b->view, span)) == -1)
			return -1;
	}
	return flush(r);
}

static int
read_block(struct reader *r)
{
	const struct buckets *b = r->buckets;

	if (b->rounds.to != NULL)
		return rounds_noting(&b->rounds) ? rounds_note(r)
						 : rounds_move(r);
	return b->view.kind == VIEW_BUILT ? read_built(r) : read_slices(r);
}

struct reading {
	struct buckets *buckets;
	struct pile *pile;
	_Atomic int more;
};

static void
tell_longest(struct batch *b, size_t len)
{
	size_t now = b->longest;

	while (
	    now < len && !atomic_compare_exchange_weak(&b->longest, &now, len))
		;
}

static int
read_worker(void *ctx, unsigned i)
{
	struct reading *r = ctx;
	struct buckets *b = r->buckets;
	struct reader me = {
		.buckets = b, .pile = &r->pile[i], .buf.most = b->view.key_most
	};
	int rc, got;

	for (rc = 0; rc == 0;) {
		got = input_block(b->in, &b->arena, &me.block, &b->err[i]);
		if (got == INPUT_FULL)
			r->more = 1;
		if (got != INPUT_BLOCK) {
			rc = got == -1 ? -1 : 0;
			break;
		}
		if ((rc = read_block(&me)) == -1)
			hp_fail(&b->err[i], HP_NOMEM, "sort: out of memory");
	}
	block_fini(b->in, &me.block);
	keybuf_fini(&me.buf);
	tell_longest(&b->batch, me.longest);
	pile_close(me.pile);
	return rc;
}

int
buckets_distribute(struct buckets *b, struct pile *pile, struct hp_err *e)
{
	struct reading r = { .buckets = b, .pile = pile };

	return buckets_team(b, b->threads, read_worker, &r, e) == -1 ? -1
								     : r.more;
}

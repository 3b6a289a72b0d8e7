#include <string.h>

#include "sort/batch.h"
#include "sort/text.h"

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
		end = batch_record_end(b->in->format, s, t);
		span = (struct span){ s, (size_t)(end - s) };
		if (b->brief)
			place = batch_off(b, s);
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
		end = batch_record_end(f, s, t);
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

int
batch_distribute(struct batch *b, struct pile *pile, struct hp_err *e)
{
	struct reading r = { .batch = b, .pile = pile };

	return batch_team(b, read_worker, &r, e) == -1 ? -1 : r.more;
}

#include <string.h>

#include "bucket/buckets.h"
#include "bucket/text.h"

enum {
	STEP = 1 << 12, /* records whose notes are looked through at once */
	AHEAD = 16,	/* records that are prefetched */
	LONG = 1 << 17	/* bytes of a key that has no room kept for it */
};

/* One thread that reads, and the keys whose buckets it looks for together. */
struct reader {
	struct buckets *buckets;
	struct pile *pile;
	struct block block;
	struct keybuf buf;
	size_t longest; /* bytes of a record */
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

static uint64_t
copy_long(struct heap *h, struct span line)
{
	void *copy = heap_bytes(h, line.len);

	if (copy == NULL)
		return 0;
	memcpy(copy, line.at, line.len);
	return place_new(h, copy, line.len);
}

/* What is left of a line moves to list `to`, unless it is too long to copy and
 * can stay: what was read before it is not needed then, and the rest of the
 * block begins behind the line. */
static int
put_line(struct reader *r, struct span line, size_t to)
{
	struct heap *h = r->pile->heap;
	size_t depth = r->buckets->plan.tree.leaf[to].depth;
	uint64_t place;

	line.at += depth;
	line.len -= depth;
	if (line.len <= TEXT_NEAR_MOST)
		return text_put_near(r->pile, to, line);
	if (line.len < PLACE_LONG)
		place = text_keep(h, line);
	else if (r->block.passes)
		place = copy_long(h, line);
	else {
		place = place_new(h, line.at, line.len);
		input_keep(
		    r->buckets->in, &r->block, line.at, line.at + line.len);
	}
	return place == 0 ? -1 : text_put_far(r->pile, to, place);
}

/* Those that wait go to their buckets. */
static int
flush(struct reader *r)
{
	const struct buckets *b = r->buckets;
	uint16_t to[TREE_MANY];
	int rc = 0;

	tree_find_many(&b->plan.tree, r->key, r->n, to);
	for (size_t i = 0; i < r->n && rc == 0; i++)
		rc = b->text ? put_line(r, r->key[i], to[i])
			     : buckets_put(b, &b->plan, r->pile, to[i],
				   r->key[i], r->place[i]);
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

	r->longest = len > r->longest ? len : r->longest;
	if (record == 0 ||
	    order_primary(r->buckets->view.order, s, len, &r->buf, &k) == -1 ||
	    (built = heap_bytes(h, sizeof *built + k.primary)) == NULL)
		return -1;
	built->record = record;
	memcpy(built->bytes, k.bytes, k.primary);
	if (r->buf.cap > LONG)
		keybuf_fini(&r->buf);
	if ((place = place_new(h, built, k.primary)) == 0)
		return -1;
	return put(r, place, (struct span){ built->bytes, k.primary });
}

static int
read_slices(struct reader *r)
{
	const struct buckets *b = r->buckets;
	const unsigned char *s = r->block.start, *t = r->block.end, *end;
	bool delim = b->in->format->kind == FORMAT_LINE;
	struct span span;
	uint64_t place = 0;

	for (; s < t; s = end + delim) {
		end = buckets_record_end(b->in->format, s, t);
		span = (struct span){ s, (size_t)(end - s) };
		r->longest = span.len > r->longest ? span.len : r->longest;
		if (b->brief)
			place = buckets_off(b, s);
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
	const struct format *f = r->buckets->in->format;
	const unsigned char *s = r->block.start, *t = r->block.end, *end;

	for (; s < t; s = end + (f->kind == FORMAT_LINE)) {
		end = buckets_record_end(f, s, t);
		if (put_built(r, s, (size_t)(end - s)) == -1)
			return -1;
	}
	return flush(r);
}

static uint16_t *
notes(const struct reader *r)
{
	const struct buckets *b = r->buckets;

	return b->rounds.to +
	    (size_t)(r->block.start - b->in->base) / b->element;
}

/* Only where each record is going to go. */
static int
note(struct reader *r)
{
	const struct buckets *b = r->buckets;
	const unsigned char *s = r->block.start;
	uint16_t *to = notes(r);
	size_t n;

	for (; s < r->block.end; to += n) {
		for (n = 0; n < TREE_MANY && s < r->block.end; n++) {
			r->key[n] = view_slice(
			    &b->view, (struct span){ s, b->element });
			s += b->element;
		}
		tree_find_many(&b->plan.tree, r->key, n, to);
		for (size_t i = 0; i < n; i++)
			r->pile->list[to[i]].n++;
	}
	return 0;
}

/* Which of n records are those of this round: returns how many.  There is room
 * for AHEAD more, to be prefetched in vain. */
static size_t
select_noted(
    const struct rounds *r, const uint16_t *to, size_t n, uint16_t *mine)
{
	uint16_t from = (uint16_t)r->from, many = (uint16_t)(r->end - r->from);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		mine[k] = (uint16_t)i;
		k += (uint16_t)(to[i] - from) < many;
	}
	for (size_t i = 0; i < AHEAD; i++)
		mine[k + i] = 0;
	return k;
}

static int
move_noted(struct reader *r)
{
	const struct buckets *b = r->buckets;
	const unsigned char *s = r->block.start, *at;
	const uint16_t *to = notes(r);
	size_t left = (size_t)(r->block.end - s) / b->element, n, k;
	uint16_t mine[STEP + AHEAD];
	void *copy;

	for (; left > 0; left -= n, s += n * b->element, to += n) {
		n = left < STEP ? left : STEP;
		k = select_noted(&b->rounds, to, n, mine);
		for (size_t i = 0; i < k; i++) {
			/* To the L2 cache, where more can be under way. */
			at = s + mine[i + AHEAD] * b->element;
			__builtin_prefetch(at, 0, 2);
			__builtin_prefetch(at + 64, 0, 2);
			__builtin_prefetch(at + b->element - 1, 0, 2);
			copy = pile_put(r->pile, to[mine[i]], b->element);
			if (copy == NULL)
				return -1;
			memcpy(copy, s + mine[i] * b->element, b->element);
		}
	}
	return 0;
}

static int
read_block(struct reader *r)
{
	const struct buckets *b = r->buckets;

	if (b->rounds.to != NULL)
		return rounds_noting(&b->rounds) ? note(r) : move_noted(r);
	return b->view.kind == VIEW_BUILT ? read_built(r) : read_slices(r);
}

struct reading {
	struct buckets *buckets;
	struct pile *pile;
	_Atomic int more;
};

static void
note_longest(struct buckets *b, size_t len)
{
	size_t now = b->batch.longest;

	while (now < len &&
	    !atomic_compare_exchange_weak(&b->batch.longest, &now, len))
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
	note_longest(b, me.longest);
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

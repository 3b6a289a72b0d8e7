#include <string.h>

#include "bucket/briefs.h"
#include "bucket/fixed.h"
#include "bucket/moved.h"
#include "bucket/reader.h"

static void
choose(struct buckets *b)
{
	fixed_choose(b, b->view.order->format.size);
	b->base = b->arena.base;
	b->off_bits = briefs_off_bits(b->arena.reserved);
	b->in->cap -= briefs_kept(b, 0);
	b->in->passing = true;
	/*
	 * Memory per record: its element, and the element's part of the header
	 * and unused end of a chunk. A chunk is a block of a list of elements.
	 */
	b->in->per_record = CHUNK / (CHUNK_DATA / b->element) + 1;
}

static struct span
bytes_of(const struct buckets *b, const void *element, unsigned stage)
{
	struct span s = { element, b->element };

	return stage > 0 ? s : view_slice(&b->view, s);
}

static void
prefetch(const struct buckets *b, const void *element, size_t depth)
{
	__builtin_prefetch(
	    (const unsigned char *)element + b->view.order->slice_off + depth);
}

static int
put_element(const struct buckets *b, const struct division *d, struct pile *p,
    size_t to, struct span key, const void *element)
{
	void *copy = pile_put(p, to, b->element);

	(void)d;
	(void)key;
	if (copy == NULL)
		return -1;
	memcpy(copy, element, b->element);
	return 0;
}

static int
put(struct reader *r, const uint16_t *to)
{
	const struct buckets *b = r->buckets;

	for (size_t i = 0; i < r->n; i++)
		if (put_element(b, &b->division, r->pile, to[i], r->key[i],
			r->record[i].at) == -1)
			return -1;
	return 0;
}

static size_t
sample(const struct buckets *b, const struct bucket *k, struct span *key,
    size_t most)
{
	return fixed_sample(b, k, key, most, bytes_of);
}

static int
divide(const struct buckets *b, const struct division *d, struct pile *p,
    const struct chunk *c)
{
	return fixed_divide(b, d, p, c, bytes_of, prefetch, put_element);
}

static size_t
load_moved(struct loader *l, uint64_t *brief, size_t room)
{
	const struct buckets *b = l->buckets;
	const struct bucket *u = l->bucket;
	size_t n = 0;

	for (; l->now < b->threads; l->now++) {
		struct walk *at = &l->at[l->now];

		while (walk_bytes(at) > 0) {
			const unsigned char *s = loader_head(l, l->now);
			struct span key = bytes_of(b, s, u->stage);

			if (n == room)
				return n;
			loader_prefetch(at->chunk, s);
			brief[n++] = brief_make(&u->brief,
			    span_load(key, u->depth, b->view.flip[u->stage]),
			    briefs_off(b, s), b->off_bits);
			loader_skip(l, l->now, b->element);
		}
	}
	return n;
}

static size_t
load(struct loader *l, struct entry *x, size_t room)
{
	return briefs_load(l, x, room, load_moved);
}

static size_t
sort(struct loader *l, struct entry *x, size_t room)
{
	return briefs_sort(l, x, room, load_moved);
}

const struct kind kind_moved = {
	.briefs = true,
	.choose = choose,
	.put = put,
	.count = fixed_count,
	.sample = sample,
	.divide = divide,
	.load = load,
	.sort = sort,
};

#ifndef HP_BUCKET_FIXED_H
#define HP_BUCKET_FIXED_H

/*
 * The loops over elements of fixed size (all kinds of elements except lines).
 * Each kind passes functions for a single element, such as one that returns its
 * key. The compiler inlines both the loops and these functions.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bucket/division.h"
#include "bucket/engine.h"
#include "bucket/loader.h"
#include "kernel/entry.h"
#include "kernel/pile.h"
#include "kernel/tree.h"

#define FIXED_INLINE static inline __attribute__((always_inline))

enum {
	FIXED_AHEAD = 12 /* prefetch distance, in elements */
};

/*
 * Returns the key bytes of the element's record that are compared in `stage`:
 * the primary key in stage 0, the whole record in stage 1.
 */
typedef struct span
fixed_bytes(const struct buckets *, const void *element, unsigned stage);
/* Prefetches the element's key at `depth`. */
typedef void
fixed_prefetch(const struct buckets *, const void *element, size_t depth);
/*
 * Appends the element to bucket number `to` of the division. `key` is the key
 * of the element's record. Returns -1 if memory is full.
 */
typedef int fixed_put(const struct buckets *, const struct division *,
    struct pile *, size_t to, struct span key, const void *element);
/* Returns the address of the element's record. */
typedef const unsigned char *
fixed_at(const struct buckets *, const void *element);

/* Implements kind.count. */
FIXED_INLINE size_t
fixed_count(const struct buckets *b, const struct list *l)
{
	return l->bytes / b->element;
}

/* Implements kind.sample. */
FIXED_INLINE size_t
fixed_sample(const struct buckets *b, const struct bucket *k, struct span *key,
    size_t most, fixed_bytes *bytes)
{
	size_t step = k->n / most + 1, n = 0, in_chunk, skip = 0;

	for (unsigned w = 0; w < b->threads; w++) {
		struct walk at = list_walk(&k->list[w]);

		for (; (in_chunk = walk_bytes(&at) / b->element) > 0;
		     walk_next(&at)) {
			for (; skip < in_chunk && n < most; skip += step)
				key[n++] = bytes(b,
				    at.chunk->data + skip * b->element,
				    k->stage);
			skip -= skip < in_chunk ? skip : in_chunk;
		}
	}
	return n;
}

/* Implements kind.divide. */
FIXED_INLINE int
fixed_divide(const struct buckets *b, const struct division *d, struct pile *p,
    const struct chunk *c, fixed_bytes *bytes, fixed_prefetch *prefetch,
    fixed_put *put)
{
	const struct tree *t = &d->tree;
	const unsigned char *x = c->data, *end = x + c->used;
	size_t depth = t->nodes > 0 ? t->node[0].depth : 0;
	struct span s;

	for (; x < end; x += b->element) {
		if (x + FIXED_AHEAD * b->element < end)
			prefetch(b, x + FIXED_AHEAD * b->element, depth);
		s = bytes(b, x, d->stage);
		if (put(b, d, p, tree_find(t, s), s, x) == -1)
			return -1;
	}
	return 0;
}

/*
 * Copies up to `room` elements in the order of the input. The records of each
 * list have increasing addresses, so this function merges the lists by address.
 * Returns how many elements it copied.
 */
FIXED_INLINE size_t
fixed_load_in_order(
    struct loader *l, unsigned char *x, size_t room, fixed_at *record)
{
	const struct buckets *b = l->buckets;
	size_t n;

	for (n = 0; n < room; n++, x += b->element) {
		const void *least = NULL, *y;
		const unsigned char *low = NULL, *at;
		unsigned from = 0;

		for (unsigned i = 0; i < b->threads; i++) {
			if (walk_bytes(&l->at[i]) == 0)
				continue;
			y = loader_head(l, i);
			at = record(b, y);
			if (least == NULL || at < low) {
				least = y;
				low = at;
				from = i;
			}
		}
		if (least == NULL)
			break;
		memcpy(x, least, b->element);
		loader_skip(l, from, b->element);
	}
	return n;
}

/*
 * Sets those members of struct buckets that depend on the size of an element.
 */
FIXED_INLINE void
fixed_choose(struct buckets *b, size_t element)
{
	b->element = element;
	b->leaf_bytes = b->part_bytes = SIZE_MAX;
}

#endif

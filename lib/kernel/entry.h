#ifndef HP_KERNEL_ENTRY_H
#define HP_KERNEL_ENTRY_H

/*
 * What is sorted in place of the records: 16 bytes for each, 8 bytes of its key
 * that memcmp order reads as a number, and its place.
 *
 * The bytes of a record that decide come in two stages.  Stage 0 is the primary
 * key: in the record itself where the order has a slice, the number it holds,
 * or else a key that was built beforehand (struct built).  Stage 1 is the last
 * resort, the whole record.  An entry's key is the 8 bytes at some depth of
 * some stage, zeros behind the end; the sorter knows which.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record/order.h"

struct entry {
	uint64_t key;
	uint64_t place; /* address << 16 | length; see PLACE_LONG */
};

enum {
	PLACE_LONG = 0xffff /* the address is that of a struct span */
};

struct span {
	const unsigned char *at;
	size_t len;
};

/* A key that had to be built, of a long one the first bytes, and whose record
 * it is. */
struct built {
	uint64_t record; /* a place */
	unsigned char bytes[];
};

/* How to find the bytes of an entry; the same for all entries of a sort. */
struct view {
	const struct order *order;
	enum {
		VIEW_SLICE,
		VIEW_NUMBER,
		VIEW_BUILT
	} kind;
	bool flip[2]; /* by stage: backwards */
	unsigned stages;
	size_t key_most; /* bytes of a key that are built */
};

enum {
	KEY_MOST = 1 << 12 /* unless there is memory for more */
};

static inline uint64_t
place_make(const void *at, size_t len)
{
	return (uint64_t)(uintptr_t)at << 16 | len;
}

static inline struct span
place_span(uint64_t place)
{
	const unsigned char *at = (const unsigned char *)(uintptr_t)(place >>
	    16);

	if ((place & 0xffff) == PLACE_LONG)
		return *(const struct span *)(const void *)at;
	return (struct span){ at, place & 0xffff };
}

/* The record of an entry. */
static inline struct span
view_record(const struct view *v, uint64_t place)
{
	if (v->kind == VIEW_BUILT)
		place =
		    ((const struct built *)(const void *)place_span(place).at)
			->record;
	return place_span(place);
}

/* The slice of a record that is its primary key. */
static inline struct span
view_slice(const struct view *v, struct span s)
{
	size_t off = v->order->slice_off, len = v->order->slice_len;

	off = off < s.len ? off : s.len;
	s.at += off;
	s.len -= off;
	s.len = s.len < len ? s.len : len;
	return s;
}

/* Is a key that ends at this depth a part of one, so that only the records tell
 * more? */
static inline bool
view_is_cut(const struct view *v, unsigned stage, size_t depth)
{
	return v->kind == VIEW_BUILT && stage == 0 && depth == v->key_most;
}

/* The bytes that a stage compares; not for VIEW_NUMBER. */
static inline struct span
view_bytes(const struct view *v, uint64_t place, unsigned stage)
{
	struct span s;

	if (stage > 0)
		return view_record(v, place);
	s = place_span(place);
	if (v->kind == VIEW_SLICE)
		return view_slice(v, s);
	s.at += offsetof(struct built, bytes);
	return s;
}

/* The first n <= 8 bytes of s as the top bytes of a number, zeros behind. */
static inline uint64_t
load_top(const unsigned char *s, size_t n)
{
	uint64_t q = 0;
	uint32_t hi, lo;

	if (n >= 8) {
		memcpy(&q, s, 8);
		return __builtin_bswap64(q);
	}
	if (n >= 4) {
		memcpy(&hi, s, 4);
		memcpy(&lo, s + n - 4, 4);
		return (uint64_t)__builtin_bswap32(hi) << 32 |
		    (uint64_t)__builtin_bswap32(lo) << (64 - 8 * n);
	}
	for (size_t i = 0; i < n; i++)
		q |= (uint64_t)s[i] << (56 - 8 * i);
	return q;
}

static inline uint64_t
span_load(struct span s, size_t depth, bool flip)
{
	uint64_t key = depth < s.len ? load_top(s.at + depth, s.len - depth)
				     : 0;

	return flip ? ~key : key;
}

/* The number at `at`, so that unsigned order is the order asked for. */
uint64_t number_load(const struct order *, const unsigned char *at);

/* The key of an entry at this depth of this stage. */
static inline uint64_t
view_load(const struct view *v, uint64_t place, unsigned stage, size_t depth)
{
	if (v->kind == VIEW_NUMBER)
		return number_load(v->order, place_span(place).at);
	return span_load(view_bytes(v, place, stage), depth, v->flip[stage]);
}

/* Have the bytes behind those at `depth` come to the cache. */
static inline void
view_prefetch(uint64_t place, size_t depth)
{
	__builtin_prefetch(
	    (const void *)(uintptr_t)((place >> 16) + depth + 8));
}

/* The view that an order asks for. */
void view_init(struct view *, const struct order *);

/*
 * Both from `depth` on, where they are known to be equal before; then the
 * stages that follow.  <, =, > 0.
 */
int view_compare(
    const struct view *, uint64_t a, uint64_t b, unsigned stage, size_t depth);

/* Do their primary keys agree? */
bool view_same(const struct view *, uint64_t a, uint64_t b);

/*
 * Sort n entries whose keys are loaded at `depth` of `stage`, and that agree in
 * all before; stable.  tmp holds n more.  O(n log n) entry moves, less where
 * keys are spread evenly, and each byte of the keys is looked at O(1) times as
 * long as it tells nothing apart.
 */
void entries_sort(const struct view *, struct entry *, size_t n,
    struct entry *tmp, unsigned stage, size_t depth);

/*
 * The same for entries that agree at `depth` too: all have the same key.
 */
void entries_deepen(const struct view *, struct entry *, size_t n,
    struct entry *tmp, unsigned stage, size_t depth);

#endif

#ifndef HP_KERNEL_ENTRY_H
#define HP_KERNEL_ENTRY_H

/*
 * An entry is sorted in place of a record. It has 16 bytes: 8 bytes of the
 * record's key, as a number that orders like memcmp, and the record's place.
 *
 * Keys are compared in two stages. Stage 0 is the primary key. It is a slice of
 * the record, the number in the record, or a key that was built beforehand
 * (struct built). Stage 1 is the last resort: the whole record. An entry's key
 * is the 8 bytes at some depth of some stage, with zeros past the end. The
 * sorter keeps track of stage and depth.
 */

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record/order.h"
#include "record/scan.h"

struct entry {
	uint64_t key;
	/*
	 * the address of the record, shifted left by 16 bits, and its length;
	 * see PLACE_LONG for long records
	 */
	uint64_t place;
};

enum {
	/*
	 * This length marks a long record. The address is then that of a struct
	 * span, which contains the address and length of the record.
	 */
	PLACE_LONG = 0xffff
};

/*
 * A key that was built from a record, for example from several fields. A long
 * key is truncated to its first bytes.
 */
struct built {
	uint64_t record; /* place of the record */
	unsigned char bytes[];
};

/*
 * Tells where the key of an entry comes from: a part of the record, the number
 * in the record, or a key built from the record. All entries of a sort share
 * one struct view.
 */
struct view {
	const struct order *order;
	enum {
		VIEW_SLICE,
		VIEW_NUMBER,
		VIEW_BUILT
	} kind;
	bool flip[2]; /* by stage: the order is reversed */
	unsigned stages;
	/* Keys that are built from records are truncated to this many bytes. */
	size_t key_most;
};

enum {
	/*
	 * the default of key_most; the value is higher if there is enough
	 * memory
	 */
	KEY_MOST = 1 << 12
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

/* Returns the record of an entry. */
static inline struct span
view_record(const struct view *v, uint64_t place)
{
	if (v->kind == VIEW_BUILT)
		place =
		    ((const struct built *)(const void *)place_span(place).at)
			->record;
	return place_span(place);
}

/*
 * Returns the bytes of a record that are its primary key. The key must be a
 * part of the record.
 */
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

/*
 * `depth` is the length of a key. Returns whether the key was built from a
 * record and has the maximum length, so that it may be truncated. If two such
 * keys are equal, the records must be compared.
 */
static inline bool
view_is_cut(const struct view *v, unsigned stage, size_t depth)
{
	return v->kind == VIEW_BUILT && stage == 0 && depth == v->key_most;
}

/*
 * Returns the bytes that are compared in a stage: the primary key (0) or the
 * whole record (1). Does not work for VIEW_NUMBER.
 */
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

/*
 * Returns the first n bytes of s, at most 8, as a big-endian number. Bytes that
 * are missing count as zeros.
 */
static inline uint64_t
load_top(const unsigned char *s, size_t n)
{
	uint64_t q = 0;
	uint32_t hi, lo;

	if (n >= 8) {
		memcpy(&q, s, 8);
		return be64toh(q);
	}
	if (n >= 4) {
		memcpy(&hi, s, 4);
		memcpy(&lo, s + n - 4, 4);
		return (uint64_t)be32toh(hi) << 32 |
		    (uint64_t)be32toh(lo) << (64 - 8 * n);
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

/*
 * Reads the number at `at`. Returns it in a form whose unsigned order is the
 * order that the options ask for.
 */
uint64_t number_load(const struct order *, const unsigned char *at);

/*
 * Returns 8 bytes of a record as the key of its entry: those at offset `depth`
 * of the primary key (stage 0) or of the whole record (stage 1).
 */
static inline uint64_t
view_load(const struct view *v, uint64_t place, unsigned stage, size_t depth)
{
	if (v->kind == VIEW_NUMBER)
		return number_load(v->order, place_span(place).at);
	return span_load(view_bytes(v, place, stage), depth, v->flip[stage]);
}

/* Prefetches the record's bytes from offset depth + 8 on. */
static inline void
view_prefetch(uint64_t place, size_t depth)
{
	__builtin_prefetch(
	    (const void *)(uintptr_t)((place >> 16) + depth + 8));
}

/* Makes the view for an order. */
void view_init(struct view *, const struct order *);

/*
 * Compares two records by the bytes of stage `stage` (0: primary key, 1: whole
 * record) from offset `depth` on, then by the later stage. All earlier bytes
 * must be equal. Returns a number below, equal to or above 0.
 */
int view_compare(
    const struct view *, uint64_t a, uint64_t b, unsigned stage, size_t depth);

/* Returns whether the primary keys are equal. */
bool view_same(const struct view *, uint64_t a, uint64_t b);

#endif

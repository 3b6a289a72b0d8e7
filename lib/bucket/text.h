#ifndef HP_BUCKET_TEXT_H
#define HP_BUCKET_TEXT_H

/*
 * Lines are moved to their buckets, not only entries for them: then all later
 * looks at a line, to sort it and to write it, find it in the cache, where
 * entries would lead all over the memory.  What all lines of a bucket begin
 * with is not moved with each but kept once.  The text that was read is not
 * needed any more.
 *
 * In a list, two bytes of length go before a line, or TEXT_FAR and a place
 * (entry.h) for one that is too long to lie in a chunk.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/entry.h"
#include "kernel/pile.h"

enum {
	TEXT_FAR = 0xffff,
	TEXT_NEAR_MOST = CHUNK_DATA / 16,
	TEXT_HEAD = 2
};

/* The line to list b; -1 when there is no memory. */
int text_put_near(struct pile *, size_t b, struct span);
int text_put_far(struct pile *, size_t b, uint64_t place);
/* Copies a line that is too long for a chunk; its place, or 0. */
uint64_t text_keep(struct heap *, struct span);

/* The place of a far line without its first n bytes. */
uint64_t text_skip(uint64_t place, size_t n);

/* Does the element at s hold the line itself? */
static inline bool
text_near(const unsigned char *s)
{
	uint16_t len;

	memcpy(&len, s, sizeof len);
	return len != TEXT_FAR;
}

/* The place of the element at *at, which is moved behind it. */
static inline uint64_t
text_next(const unsigned char **at)
{
	const unsigned char *s = *at + TEXT_HEAD;
	uint64_t place;
	uint16_t len;

	memcpy(&len, *at, sizeof len);
	if (__builtin_expect(len != TEXT_FAR, 1)) {
		*at = s + len;
		return place_make(s, len);
	}
	memcpy(&place, s, sizeof place);
	*at = s + sizeof place;
	return place;
}

#endif

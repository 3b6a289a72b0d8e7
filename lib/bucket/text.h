#ifndef HP_BUCKET_TEXT_H
#define HP_BUCKET_TEXT_H

/*
 * Lists of lines. A list contains the lines themselves, so that they are in the
 * cache when their bucket is sorted and written; entries would point all over
 * memory. The prefix that all lines of a bucket share is stored once. The text
 * that was read is not needed any more.
 *
 * An element is a length of two bytes, then the line. A line too long for a
 * chunk is called a far line: its length is TEXT_FAR, then follows its place
 * (entry.h).
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

/*
 * Append a line to list b: text_put_near stores its text, text_put_far its
 * place (address and length in 8 bytes). Return -1 if memory is full.
 */
int text_put_near(struct pile *, size_t b, struct span);
int text_put_far(struct pile *, size_t b, uint64_t place);
/*
 * Copies a line to memory outside the lists. Returns its place (address and
 * length in 8 bytes) for text_put_far, or 0 if memory is full.
 */
uint64_t text_keep(struct heap *, struct span);

/*
 * `place` is the address and length of a line that text_keep has copied, in 8
 * bytes. Removes the first n bytes of the line. Returns its new address and
 * length in the same form.
 */
uint64_t text_skip(uint64_t place, size_t n);

/*
 * Returns whether the element at s contains the text of its line, not just the
 * line's address.
 */
static inline bool
text_near(const unsigned char *s)
{
	uint16_t len;

	memcpy(&len, s, sizeof len);
	return len != TEXT_FAR;
}

/*
 * Reads the element at *at and advances *at past it. Returns the place of its
 * line (address and length in 8 bytes).
 */
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

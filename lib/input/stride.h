#ifndef HP_INPUT_STRIDE_H
#define HP_INPUT_STRIDE_H

/*
 * Divides text into strides: whole records of about `step` bytes. Strides are
 * numbered, so that threads can take them in any order.
 */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "input/input.h"
#include "kernel/entry.h"
#include "record/format.h"

struct text {
	const struct format *format;
	const struct piece *piece;
	size_t npieces;
	/* size of a stride in bytes; larger if it has a long record */
	size_t step;
};

/* A stride: whole records of one piece, or none. */
struct stride {
	const unsigned char *start, *end;
	/* the last record of the previous stride, or NULL */
	const unsigned char *before;
	bool cut; /* its last line lacks a delimiter */
};

size_t stride_count(const struct text *);
struct stride stride_number(const struct text *, size_t i);

/*
 * Returns the first record that begins at offset `off` of the piece or later.
 */
const unsigned char *
stride_from(const struct format *, const struct piece *, size_t off);
/*
 * Returns the start of the record that ends at `end`, including its delimiter.
 */
const unsigned char *stride_before(const struct format *,
    const unsigned char *start, const unsigned char *end);

/* Returns the record at *at and advances *at past it. */
static inline struct span
stride_record(
    const struct format *f, const unsigned char **at, const unsigned char *end)
{
	struct span s = { *at, f->size };
	const unsigned char *p;

	if (f->size != 0) {
		*at += f->size;
		return s;
	}
	p = memchr(s.at, f->delim, (size_t)(end - s.at));
	*at = p == NULL ? end : p + 1;
	s.len = (size_t)((p == NULL ? end : p) - s.at);
	return s;
}

#endif

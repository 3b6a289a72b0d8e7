#ifndef HP_INPUT_STRIDE_H
#define HP_INPUT_STRIDE_H

/*
 * Divides text into numbered strides, so that threads can process them in any
 * order. A stride has whole records of about `step` bytes.
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
	/* size of a stride in bytes; a stride with a long record is larger */
	size_t step;
};

/*
 * A stride has whole records of one mapped file. It can be empty: if one long
 * record covers all of it.
 */
struct stride {
	const unsigned char *start, *end;
	/* the last record before this stride; NULL: there is none */
	const unsigned char *before;
	bool cut; /* its last line lacks a delimiter */
};

size_t stride_count(const struct text *);
struct stride stride_number(const struct text *, size_t i);

/*
 * Returns the address of the first record that begins at offset `off` of the
 * mapped file or later.
 */
const unsigned char *
stride_from(const struct format *, const struct piece *, size_t off);
/*
 * Returns the address of the record that ends at `end`. Its delimiter counts as
 * part of the record.
 */
const unsigned char *stride_before(const struct format *,
    const unsigned char *start, const unsigned char *end);

/*
 * Returns the record at *at, without its delimiter. Advances *at to the next
 * record.
 */
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

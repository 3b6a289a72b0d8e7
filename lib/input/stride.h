#ifndef HP_INPUT_STRIDE_H
#define HP_INPUT_STRIDE_H

/*
 * Divides text into numbered strides, so that threads can process them in any
 * order. A stride has whole records of about `step` bytes.
 */

#include <stdbool.h>
#include <stddef.h>

#include "input/input.h"
#include "record/scan.h"

struct text {
	const struct format *format;
	const struct text_piece *piece;
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
	/*
	 * the last record before this stride (a group of whole records); NULL:
	 * there is none
	 */
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
stride_from(const struct format *, const struct text_piece *, size_t off);

#endif

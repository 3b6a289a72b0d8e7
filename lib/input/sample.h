#ifndef HP_INPUT_SAMPLE_H
#define HP_INPUT_SAMPLE_H

/*
 * Takes a sample of a mapped input without reading from the disk: it uses only
 * pages that are in the page cache.
 */

#include <stddef.h>

#include "input/input.h"

enum {
	SAMPLE_PART = 1 << 12 /* most bytes that input_part copies */
};

/*
 * Fills block[i].start and .end with up to n short parts of the text, taken at
 * equal distances. Each part lies in a page that is in the page cache. A part
 * of binary records begins at the start of a record. The text itself is not
 * touched. Returns the number of parts; 0 if the input is not mapped.
 */
size_t input_sample(const struct input *, struct block *, size_t n);

/*
 * Prepares a part for use. If the member `read_apart` of the input is set,
 * copies the part to the buffer and shortens it to the size of the buffer. Does
 * not copy it if records of fixed size are larger than the buffer. Lets a part
 * of lines begin at the start of a line; if no line begins in the part, it
 * becomes empty. Returns 0 or -1.
 */
int input_part(const struct input *, struct block *,
    unsigned char buffer[SAMPLE_PART], struct hp_err *);

#endif

#ifndef HP_INPUT_SAMPLE_H
#define HP_INPUT_SAMPLE_H

/*
 * Takes a sample of a mapped input without reading from the disk: it uses only
 * pages that are in the page cache.
 */

#include <stddef.h>

#include "input/input.h"

enum {
	SAMPLE_PART = 1 << 12 /* most bytes of a part that input_part copies */
};

/*
 * Fills block[i].start and .end with up to n short parts of the text, taken at
 * equal distances. Each part lies in a page that is in the page cache. A part
 * of binary records begins at the start of a record. The text itself is not
 * touched. Returns the number of parts; 0 if the input is not mapped.
 */
size_t input_sample(const struct input *, struct block *, size_t n);

/*
 * Copies a part to the buffer, so that the mapping is not touched, and lets the
 * block be the copy. Of binary records, copies at most `most`. A part of lines
 * then begins at the start of a line; if no line begins in it, it is empty. A
 * record that is larger than the buffer is not copied. Returns 0 or -1.
 */
int input_part(const struct input *, struct block *, size_t most,
    unsigned char buffer[SAMPLE_PART], struct hp_err *);

#endif

#ifndef HP_INPUT_SAMPLE_H
#define HP_INPUT_SAMPLE_H

/* Samples a mapped input without reading from the disk. */

#include <stddef.h>

#include "input/input.h"

/*
 * Fills block[i].start and .end with up to n short pieces of text, spread
 * evenly over the input. Each piece starts at a record and lies in a page that
 * is in the page cache. Returns their number; 0 if the input is not mapped.
 */
size_t input_sample(const struct input *, struct block *, size_t n);

/*
 * Copies n bytes at s, which lie in a piece of the sample. If the file is open,
 * uses pread: touching a page would also map its neighbours, which then count
 * as memory of the process.
 */
void input_copy(
    const struct input *, unsigned char *to, const unsigned char *s, size_t n);

#endif

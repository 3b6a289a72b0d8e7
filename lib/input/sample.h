#ifndef HP_INPUT_SAMPLE_H
#define HP_INPUT_SAMPLE_H

/*
 * Takes a sample of a mapped input without reading from the disk: it uses only
 * pages that are in the page cache.
 */

#include <stddef.h>

#include "input/input.h"

/*
 * Fills block[i].start and .end with up to n short parts of the text, taken at
 * equal distances. Each part begins at the start of a record and lies in a page
 * that is in the page cache. Returns the number of parts; 0 if the input is not
 * mapped.
 */
size_t input_sample(const struct input *, struct block *, size_t n);

#endif

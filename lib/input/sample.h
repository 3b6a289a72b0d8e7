#ifndef HP_INPUT_SAMPLE_H
#define HP_INPUT_SAMPLE_H

/*
 * Samples of a mapped input that cost no access to the disk.
 */

#include <stddef.h>

#include "input/input.h"

/*
 * Fills block[i].start and .end with up to n stretches of the input, evenly
 * from all of it.  Each begins with a record, and its page is in the page
 * cache. Returns how many; 0 if the input is not mapped.
 */
size_t input_sample(const struct input *, struct block *, size_t n);

/*
 * Copies n bytes at s, of a stretch.  If the file is open, they are read
 * instead of touched: to touch a page maps its neighbours, too, which then
 * count as memory of the process.
 */
void input_copy(
    const struct input *, unsigned char *to, const unsigned char *s, size_t n);

#endif

#ifndef HP_INPUT_COPY_H
#define HP_INPUT_COPY_H

/*
 * Reads text of mapped files into buffers by pread(2), not through the mapping.
 * This is for text that a thread needs only once. Each page of a mapping takes
 * an entry in the page table, and the kernel must interrupt the other threads
 * of the process to drop it.
 */

#include <stddef.h>

#include "base/err.h"
#include "input/input.h"

/*
 * Copies n bytes at s, an address of a mapped file, to `to`. If the file is not
 * open any more (input.h), copies from the mapping. Returns 0 or -1.
 */
int input_copy(const struct input *, unsigned char *to, const unsigned char *s,
    size_t n, struct hp_err *);

/*
 * Returns the end of the last whole record in the next `want` bytes of text.
 * Does not read through the mapping. Returns NULL if there is no text, if no
 * record ends near the end of these bytes, or if the file cannot be read.
 */
unsigned char *input_whole_unseen(const struct input *, size_t want);

#endif

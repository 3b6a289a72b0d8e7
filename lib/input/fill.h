#ifndef HP_INPUT_FILL_H
#define HP_INPUT_FILL_H

/*
 * The text between in->pos and in->end was read but not yet given to a thread.
 * These functions read more text and find the end of its whole records.
 */

#include <stddef.h>

#include "base/err.h"
#include "input/input.h"

/*
 * Reads until at least `want` bytes of text are waiting for a thread. Stops
 * earlier at the end of the input, or if the reserved address space is full.
 */
int input_fill(struct input *, size_t want, struct hp_err *);

/*
 * Returns the end of the last whole record in the next `want` bytes of text. If
 * a mapped file has a longer line there, returns the end of that line. Returns
 * NULL if not even one record is complete.
 */
unsigned char *input_whole(const struct input *, size_t want);

/*
 * Finds whole records of about `want` bytes, or one longer record. Sets *end to
 * their end, or to NULL at the end of the input. Returns 0, or -1 on failure.
 * Returns INPUT_FULL if the address space is too full for the next record. Then
 * input_forget must be called first.
 */
int
input_find(struct input *, size_t want, unsigned char **end, struct hp_err *);

#endif

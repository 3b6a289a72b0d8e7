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
 * Reads until there are at least `want` bytes of text that no thread has taken.
 * Stops earlier at the end of the input, or if the reserved address space is
 * full.
 */
int input_fill(struct input *, size_t want, struct hp_err *);

/*
 * Returns the end of the whole records among the next `want` bytes, or NULL if
 * not even one record is complete.
 */
unsigned char *input_whole(const struct input *, size_t want);

/*
 * Finds whole records of about `want` bytes, or one longer record, in mapped or
 * read text. *end is their end, or NULL at the end of the input. Returns 0 or
 * -1, or INPUT_FULL if the record fits only after input_forget.
 */
int
input_find(struct input *, size_t want, unsigned char **end, struct hp_err *);

#endif

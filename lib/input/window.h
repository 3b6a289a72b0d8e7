#ifndef HP_INPUT_WINDOW_H
#define HP_INPUT_WINDOW_H

/*
 * Looks at the next text of an input, which later calls read again. Only one
 * thread may do so, while no other thread takes blocks.
 */

#include <stddef.h>

#include "base/err.h"
#include "input/input.h"

/*
 * Fills start and end with the next block; both are NULL at the end of the
 * input.
 */
int input_peek(struct input *, struct block *, struct hp_err *);

/*
 * For an input that is not mapped: fills start and end with the next `most`
 * bytes of text, or with one longer record. The piece is empty at the end of
 * the input.
 */
int input_ahead(struct input *, size_t most, struct piece *, struct hp_err *);

/* Marks the text before `end` as used, as if it had been handed out. */
void input_skip(struct input *, unsigned char *end);

/* Releases the unused memory after the text to the system. */
void input_trim(struct input *);

#endif

#ifndef HP_INPUT_WINDOW_H
#define HP_INPUT_WINDOW_H

/*
 * Functions that look at the next text of an input without consuming it. Only
 * one thread may call them, while no other thread takes text from the input.
 */

#include <stddef.h>

#include "base/err.h"
#include "input/input.h"

/*
 * Finds the next block of text. Sets both start and end to NULL at the end of
 * the input.
 */
int input_peek(struct input *, struct block *, struct hp_err *);

/*
 * Finds the next `most` bytes of text in an input that is not mapped, or one
 * record longer than that. Sets the start and end of the piece; it is empty at
 * the end of the input.
 */
int
input_ahead(struct input *, size_t most, struct text_piece *, struct hp_err *);

/* Consumes the text before `end` as if it had been handed to a thread. */
void input_skip(struct input *, unsigned char *end);

/* Gives the unused memory after the text back to the system. */
void input_trim(struct input *);

#endif

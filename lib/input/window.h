#ifndef HP_INPUT_WINDOW_H
#define HP_INPUT_WINDOW_H

/*
 * Looking at the next text of an input without taking it.  One thread at a
 * time, while no other takes blocks.
 */

#include <stddef.h>

#include "base/err.h"
#include "input/input.h"

/* Fills start and end with the next block; both are NULL at the end. */
int input_peek(struct input *, struct block *, struct hp_err *);

/*
 * Of an input that is not mapped: fills start and end with the next `most`
 * bytes, or one longer record; empty at the end.
 */
int input_ahead(struct input *, size_t most, struct piece *, struct hp_err *);

/* The text before `end` is done with, as if it had been handed out. */
void input_skip(struct input *, unsigned char *end);

/* Gives back the memory behind the text that was read. */
void input_trim(struct input *);

#endif

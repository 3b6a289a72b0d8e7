#ifndef HP_INPUT_FILL_H
#define HP_INPUT_FILL_H

/*
 * Text that was not handed out yet, between in->pos and in->end: reading more
 * of it, and finding where its whole records end.
 */

#include <stddef.h>

#include "base/err.h"
#include "input/input.h"

/* Reads until there are `want` bytes.  There are fewer at the end of the input,
 * or if the stretch of addresses is full. */
int input_fill(struct input *, size_t want, struct hp_err *);

/* Where the whole records among the first `want` bytes end; NULL if there is no
 * whole one. */
unsigned char *input_whole(const struct input *, size_t want);

/*
 * Finds whole records of about `want` bytes, or one longer record, mapped or
 * read.  *end is where they end, NULL at the end of the input.  Returns 0, -1
 * or INPUT_FULL: a record fits only after input_forget.
 */
int
input_find(struct input *, size_t want, unsigned char **end, struct hp_err *);

#endif

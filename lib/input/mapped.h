#ifndef HP_INPUT_MAPPED_H
#define HP_INPUT_MAPPED_H

/* Maps regular files into memory at consecutive addresses, as one input. */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/space.h"
#include "input/input.h"

/*
 * Reserves `want` bytes of address space for text, or fewer if that fails, down
 * to `least`.
 */
int input_reserve(struct input *, size_t want, size_t least, struct hp_err *);

/*
 * Maps all files and returns 1. Returns 0 if one of them cannot be mapped or if
 * they have more than `most` bytes together. not_fd is a file that is being
 * written, which is never mapped.
 */
int input_map(struct input *, uint64_t most, int not_fd, struct hp_err *);

/*
 * Maps all pages between two addresses in one call, which takes a tenth of the
 * time of page faults. Without MADV_POPULATE_READ (before Linux 5.14), page
 * faults map them later.
 */
void input_populate(
    const struct input *, const unsigned char *s, const unsigned char *end);

/* Unmaps pages that were read to take a sample of the input. */
void input_drop(const struct input *);

/*
 * Starts to read the whole input again. If `passing` is true, text is dropped
 * from memory after its use; otherwise it stays in memory.
 */
void input_again(struct input *, bool passing);

/* Returns the piece (mapped file) that contains the address s. */
const struct text_piece *
input_piece(const struct input *, const unsigned char *s);

#endif

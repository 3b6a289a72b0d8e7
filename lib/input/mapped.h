#ifndef HP_INPUT_MAPPED_H
#define HP_INPUT_MAPPED_H

/* Maps regular files as the input, one behind the other. */

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "base/err.h"
#include "input/input.h"

static inline size_t
page_up(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n + page - 1) / page * page;
}

/*
 * Reserves `want` bytes of address space for text, or fewer if that fails, down
 * to `least`.
 */
int input_reserve(struct input *, size_t want, size_t least, struct hp_err *);

/*
 * Maps all files. Returns 1. Returns 0 if one of them cannot be mapped or all
 * together have more than `most` bytes. not_fd: see input_open.
 */
int input_map(struct input *, uint64_t most, int not_fd, struct hp_err *);

/*
 * Maps all pages between two addresses in one call. This takes a tenth of the
 * time of page faults. Linux before 5.14 lacks MADV_POPULATE_READ; then the
 * pages are mapped by page faults.
 */
void input_populate(
    const struct input *, const unsigned char *s, const unsigned char *end);

/* Unmaps the pages that a first look at the input has mapped. */
void input_drop(const struct input *);

/*
 * Starts another pass over the whole input. passing: see struct input. If it is
 * false, text that was handed out stays in memory.
 */
void input_again(struct input *, bool passing);

/* Returns the piece that contains the address s. */
const struct piece *input_piece(const struct input *, const unsigned char *s);

#endif

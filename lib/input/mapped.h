#ifndef HP_INPUT_MAPPED_H
#define HP_INPUT_MAPPED_H

/*
 * Regular files as the input of a sort: mapped one behind the other.  input.h
 * has what is done with them; here is also what both ways of input share.
 */

#include <unistd.h>

#include "input/input.h"

static inline size_t
page_up(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n + page - 1) / page * page;
}

/* Map all files; 0 if they cannot be or are too large, 1 when done. */
int input_map(struct input *, uint64_t most, int not_fd, struct hp_err *);

/*
 * Map the pages between two addresses of mapped input at once, which costs a
 * tenth of a fault for each.  Without MADV_POPULATE_READ (Linux 5.14) the pages
 * come by faults.
 */
void input_populate(
    const struct input *, const unsigned char *s, const unsigned char *end);

/* For messages. */
const char *input_name(const char *file);
int input_open_file(const struct input *, size_t i, struct hp_err *);
/* Move the descriptor of file i behind the header of the file. */
int input_skip_header(const struct input *, size_t i, int fd, struct hp_err *);
/* HP_INPUT where the last record of so many bytes is not whole. */
int input_check_whole(
    const struct input *, const char *name, uint64_t bytes, struct hp_err *);
/* Read until there are `want` bytes at pos, no more at all, or no room. */
int input_fill(struct input *, size_t want, struct hp_err *);
/* Where the whole records among the first `want` bytes at pos end: NULL when
 * there is none. */
unsigned char *input_whole(const struct input *, size_t want);
/* Text up to the next block's end; NULL and eof at the end of all; INPUT_FULL
 * when it fits without what was handed out. */
int
input_find(struct input *, size_t want, unsigned char **end, struct hp_err *);
/* Addresses without memory: as many as there are, for input of any size. */
int input_reserve(struct input *, size_t want, size_t least, struct hp_err *);

#endif

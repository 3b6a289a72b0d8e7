#ifndef HP_INPUT_MAPPED_H
#define HP_INPUT_MAPPED_H

/*
 * Regular files as the input: mapped one behind the other.
 */

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

/* Reserves `want` bytes of addresses, or fewer down to `least`, for text. */
int input_reserve(struct input *, size_t want, size_t least, struct hp_err *);

/*
 * Maps all files.  Returns 1, or 0 if one of them cannot be mapped or all have
 * more than `most` bytes.  not_fd: as for input_open.
 */
int input_map(struct input *, uint64_t most, int not_fd, struct hp_err *);

/*
 * Maps the pages between two addresses at once, which costs a tenth of a fault
 * for each.  Without MADV_POPULATE_READ (Linux 5.14) they come by faults.
 */
void input_populate(
    const struct input *, const unsigned char *s, const unsigned char *end);

/* Unmaps the pages of the input that looking at it has brought. */
void input_drop(const struct input *);

/* Hands out all of the input once more.  passing: as in struct input; else what
 * was handed out stays in memory. */
void input_again(struct input *, bool passing);

/* The piece that s lies in. */
const struct piece *input_piece(const struct input *, const unsigned char *s);

#endif

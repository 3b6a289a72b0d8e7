#ifndef HP_RUN_TMPFILE_H
#define HP_RUN_TMPFILE_H

/*
 * A temporary file that many threads write to and read from at once, each
 * anywhere.
 *
 * Its bytes pass by the page cache where the file system can do that
 * (O_DIRECT): what is read once does not push out what others need, and costs
 * no copy and no pages.  A disk that is slower than memory by far gets them
 * through the cache after all, which may spare it the most of it.
 */

#include <sys/types.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/tmp.h"

enum {
	TMPFILE_ALIGN =
	    4096 /* of addresses and offsets, to pass the cache by */
};

struct tmpfile {
	int fd;
	_Atomic off_t end;
	atomic_bool direct;
	atomic_uint writers; /* at this moment */
	_Atomic uint64_t tried, tried_ns;
	char *name; /* for messages: the directory and what is needed */
};

static inline size_t
tmpfile_align(size_t n)
{
	return (n + TMPFILE_ALIGN - 1) & ~(size_t)(TMPFILE_ALIGN - 1);
}

/*
 * In the directory whose turn it is, with room for so many bytes; `need` bytes,
 * if not 0, are needed in all, as messages tell.
 */
int tmpfile_open(struct tmpfile *, const struct tmpdirs *, size_t turn,
    uint64_t room, uint64_t need, bool direct, struct hp_err *);
void tmpfile_close(struct tmpfile *);

/* Enough was written to know how fast it is. */
bool tmpfile_is_tried(const struct tmpfile *);

/* Returns -1 with errno when not all was written. */
int tmpfile_write(struct tmpfile *, const unsigned char *, size_t n, off_t at);
/* At least `least` bytes of up to n, which may end behind the file's end. */
int tmpfile_read(struct tmpfile *, unsigned char *, size_t n, size_t least,
    off_t at, struct hp_err *);

#endif

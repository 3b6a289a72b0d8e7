#ifndef HP_RUN_DIRECT_H
#define HP_RUN_DIRECT_H

/*
 * A file that many threads write to and read from at once, each anywhere, past
 * the page cache where the file system can do that (O_DIRECT): what is read or
 * written once does not push out what others need, and costs no copy and no
 * pages, the first touch of which is dear on a virtual machine.  A disk that is
 * slower than memory by far gets it through the cache after all, which may
 * spare it the most of it.
 */

#include <sys/types.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DIRECT_ALIGN = 4096,   /* of addresses, sizes and offsets */
	DIRECT_WORTH = 1 << 15 /* less is through the cache before the disk
				  has begun */
};

struct direct {
	int fd;			      /* borrowed; no other has its open file */
	atomic_bool on;		      /* else through the cache */
	atomic_uint writers;	      /* at this moment */
	_Atomic uint64_t tried, fast; /* bytes: written, and in good time */
};

static inline size_t
direct_align(size_t n)
{
	return (n + DIRECT_ALIGN - 1) & ~(size_t)(DIRECT_ALIGN - 1);
}

void direct_init(struct direct *, int fd, bool on);
/* Enough was written to know how fast it is. */
bool direct_is_tried(const struct direct *);

/* Returns -1 with errno when not all was written. */
int direct_write(struct direct *, const unsigned char *, size_t n, off_t at);
/* At least `least` bytes of up to n, which may end behind the file's end; fewer
 * where the file ends before; -1 with errno. */
ssize_t
direct_read(struct direct *, unsigned char *, size_t n, size_t least, off_t at);

#endif

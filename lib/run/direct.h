#ifndef HP_RUN_DIRECT_H
#define HP_RUN_DIRECT_H

/*
 * A file that many threads read and write at once, each at its own offset. It
 * bypasses the page cache (O_DIRECT) if the file system allows that. Temporary
 * data is read only once: caching it would evict useful pages and would cost a
 * copy and page faults, which are slow on virtual machines. If the disk proves
 * slow, the file goes through the page cache after all, which may absorb most
 * of the writes.
 */

#include <sys/types.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DIRECT_ALIGN = 4096, /* alignment of addresses, sizes and offsets */
	/*
	 * Minimum size in bytes of a write that bypasses the page cache.
	 * Smaller writes are finished sooner in the cache.
	 */
	DIRECT_WORTH = 1 << 15
};

struct direct {
	int fd;		     /* borrowed; not shared with other users */
	atomic_bool on;	     /* whether O_DIRECT is in use */
	atomic_uint writers; /* threads writing now */
	/*
	 * `tried`: bytes written so far. `fast`: bytes among them that were
	 * written at the speed DIRECT_LEAST or faster.
	 */
	_Atomic uint64_t tried, fast;
};

static inline size_t
direct_align(size_t n)
{
	return (n + DIRECT_ALIGN - 1) & ~(size_t)(DIRECT_ALIGN - 1);
}

void direct_init(struct direct *, int fd, bool on);
/*
 * Returns true once enough bytes were written to judge the speed of the disk.
 */
bool direct_is_tried(const struct direct *);

/*
 * Writes n bytes at offset `at`. Returns -1 with errno set unless all n bytes
 * were written.
 */
int direct_write(struct direct *, const unsigned char *, size_t n, off_t at);
/*
 * Reads at least `least` and at most n bytes from offset `at`. The n bytes may
 * reach beyond the end of the file. Returns the number of bytes read. The
 * number is below `least` only at the end of the file. Returns -1 with errno
 * set on an error.
 */
ssize_t
direct_read(struct direct *, unsigned char *, size_t n, size_t least, off_t at);

#endif

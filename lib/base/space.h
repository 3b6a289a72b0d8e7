#ifndef HP_BASE_SPACE_H
#define HP_BASE_SPACE_H

/*
 * Memory beside malloc: addresses for what may come, what one phase needs, and
 * buffers for single records that no budget has room for.
 */

#include <stddef.h>

enum {
	/* Bytes of a large page, of memory or of a file. */
	HUGE_PAGE = 1 << 21
};

/*
 * *n bytes of addresses, which become memory when they are touched; half of it
 * or less, down to `least`, where there are not as many (ulimit -v) beside some
 * that stay free.  Where `least` is little the memory comes in small pages,
 * even where the system gives others unasked.  munmap gives them back.  NULL
 * with errno.
 */
void *space_reserve(size_t *n, size_t least);

/*
 * n bytes, which go back to the system with space_give; but a few come from
 * malloc, as to map and unmap them takes longer than to fill them.  NULL with
 * errno.
 */
void *space_take(size_t n);
void space_give(void *, size_t n);

/*
 * realloc of a buffer that has `old` bytes, for one record: NULL with ENOMEM
 * where all such buffers together would take more than there is, lest the
 * kernel kills the process.  space_free with its size gives it back.
 */
void *space_grow(void *, size_t old, size_t n);
void space_free(void *, size_t n);

#endif

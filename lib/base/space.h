#ifndef HP_BASE_SPACE_H
#define HP_BASE_SPACE_H

/*
 * Memory that malloc does not serve well: reserved address space, large blocks
 * for one phase, and buffers for single long records.
 */

#include <stddef.h>
#include <unistd.h>

enum {
	/* Bytes of a huge page of memory. */
	HUGE_PAGE = 1 << 21
};

/* Rounds a number of bytes or an address up to a multiple of the page size. */
static inline size_t
page_up(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n + page - 1) / page * page;
}

/*
 * Reserves *n bytes of address space, which become memory when they are
 * touched. If ulimit -v does not allow so much, reserves less, but at least
 * `least` bytes; some address space always stays free. With a small `least`,
 * huge pages are switched off. Free the space with munmap. Returns NULL and
 * sets errno on failure.
 */
void *space_reserve(size_t *n, size_t least);

/*
 * Allocates n bytes that space_give returns to the system at once. Small blocks
 * come from malloc, which is faster than mmap. Returns NULL and sets errno on
 * failure.
 */
void *space_take(size_t n);
void space_give(void *, size_t n);

/*
 * Resizes the buffer of one long record, like realloc; `old` is its present
 * size. Returns NULL with ENOMEM if all such buffers together would exceed
 * mem_most, because the kernel might then kill the process. Free the buffer
 * with space_free.
 */
void *space_grow(void *, size_t old, size_t n);
void space_free(void *, size_t n);

#endif

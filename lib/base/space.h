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
 * Reserves *n bytes of address space. A page takes memory only when it is first
 * touched. If `ulimit -v` does not allow this size, reserves less, but at least
 * `least` bytes, and stores the size in *n. With such a limit, leaves some
 * address space for other allocations. If `least` is small, switches off huge
 * pages, because one extra huge page could exceed a small memory budget. Free
 * the space with munmap. Returns NULL and sets errno on failure.
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
 * size, which may be larger. Returns NULL with ENOMEM if all such buffers
 * together would exceed mem_most, because the kernel might then kill the
 * process. Free the buffer with space_free.
 */
void *space_grow(void *, size_t old, size_t n);
void space_free(void *, size_t n);

#endif

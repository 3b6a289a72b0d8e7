#include <sys/mman.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/size.h"
#include "base/space.h"

enum {
	FEW = 1 << 16,	 /* bytes; smaller blocks come from malloc */
	LARGE = 1 << 23, /* bytes; smaller buffers are not counted */
	/*
	 * Bytes of address space that are never reserved, so that stacks and
	 * buffers can be allocated.
	 */
	LEFT = 12 << 20,
	/*
	 * Budgets of at least this many bytes are large enough that one extra
	 * huge page does not matter.
	 */
	HUGE_WORTH = 256 << 20
};

static _Atomic uint64_t large; /* bytes in counted buffers */

void *
space_reserve(size_t *n, size_t least)
{
	size_t want = page_up(*n);
	/* Without a limit, address space is plentiful. */
	size_t left = mem_addresses() == UINT64_MAX ? 0 : LEFT;
	void *p;

	least = page_up(least);

	for (;;) {
		p = mmap(NULL, want + left, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p != MAP_FAILED || want <= least)
			break;
		want = want / 2 > least ? page_up(want / 2) : least;
	}
	if (p != MAP_FAILED && left > 0)
		munmap((char *)p + want, left);
	/*
	 * If huge pages are on by default, touching the last page can take more
	 * memory than the budget. So switch them off for small budgets.
	 */
	if (p != MAP_FAILED && least < HUGE_WORTH)
		madvise(p, want, MADV_NOHUGEPAGE);
	*n = want;
	return p == MAP_FAILED ? NULL : p;
}

void *
space_take(size_t n)
{
	void *p;

	if (n <= FEW)
		return malloc(n);
	p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	if (n >= HUGE_PAGE)
		madvise(p, n, MADV_HUGEPAGE);
	return p;
}

void
space_give(void *p, size_t n)
{
	if (n <= FEW)
		free(p);
	else if (p != NULL)
		munmap(p, n);
}

static uint64_t
counted(size_t n)
{
	return n > LARGE ? n : 0;
}

void *
space_grow(void *p, size_t old, size_t n)
{
	uint64_t more = counted(n) - counted(old);
	void *grown;

	if (more > 0 && atomic_fetch_add(&large, more) + more > mem_most()) {
		large -= more;
		errno = ENOMEM;
		return NULL;
	}
	if ((grown = realloc(p, n)) == NULL)
		large -= more;
	return grown;
}

void
space_free(void *p, size_t n)
{
	if (p != NULL)
		large -= counted(n);
	free(p);
}

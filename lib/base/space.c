#include <sys/mman.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/size.h"
#include "base/space.h"

enum {
	LARGE = 1 << 23, /* less is within any plan */
	LEFT = 12 << 20	 /* bytes of addresses for stacks and buffers */
};

static _Atomic uint64_t large; /* bytes in such buffers */

static size_t
pages_up(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n + page - 1) / page * page;
}

void *
space_reserve(size_t *n, size_t least)
{
	size_t want = pages_up(*n);
	void *p;

	least = pages_up(least);

	for (;;) {
		p = mmap(NULL, want + LEFT, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p != MAP_FAILED || want <= least)
			break;
		want = want / 2 > least ? pages_up(want / 2) : least;
	}
	if (p != MAP_FAILED)
		munmap((char *)p + want, LEFT);
	*n = want;
	return p == MAP_FAILED ? NULL : p;
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

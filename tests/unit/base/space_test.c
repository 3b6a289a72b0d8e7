/* Memory outside malloc: the kind of its pages. */
#include <sys/mman.h>
#include <sys/resource.h>

#include <errno.h>

#include "base/size.h"
#include "base/space.h"
#include "kernel/pile.h"
#include "test.h"

static rlim_t addresses = RLIM_INFINITY; /* the limit of ulimit -v */

/* Sanitizers call getrlimit before they can check code. */
__attribute__((no_sanitize("address", "thread", "undefined"))) int
getrlimit(__rlimit_resource_t resource, struct rlimit *l)
{
	l->rlim_max = RLIM_INFINITY;
	l->rlim_cur = resource == RLIMIT_AS ? addresses : RLIM_INFINITY;
	return 0;
}

/* Returns whether smaps shows the flag, two letters, for the mapping at this
 * address. */
static bool
has_flag(const void *address, const char *flag)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	unsigned long from, to, at = (unsigned long)(uintptr_t)address;
	bool here = false, has = false;
	char line[1000];

	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			here = from <= at && at < to;
		else if (here && strncmp(line, "VmFlags:", 8) == 0)
			has = strstr(line + 8, flag) != NULL;
	}
	if (f != NULL)
		fclose(f);
	return has;
}

/* In a budget of eight megabytes, one huge page too many would exceed it by a
 * quarter. */
static void
small_budgets_have_no_huge_pages(void)
{
	const size_t least = 8 << 20, huge = 2 * HUGE_PAGE;
	struct hp_err e = { 0 };
	struct arena a;

	if (access("/sys/kernel/mm/transparent_hugepage", F_OK) == -1) {
		printf("# no huge pages\n");
		return;
	}
	REQUIRE(arena_init(&a, 2 * least, least, 1 << 16, 0, &e) == 0);
	CHECK(has_flag(a.base, " nh"));
	CHECK(has_flag(a.base + a.reserved - 1, " nh"));
	arena_fini(&a);
	/* If the arena asks for huge pages, it gets them. */
	REQUIRE(arena_init(&a, 2 * least, least, 1 << 16, huge, &e) == 0);
	CHECK(has_flag(a.base, " hg") && has_flag(a.base + huge - 1, " hg"));
	CHECK(has_flag(a.base + huge, " nh"));
	arena_fini(&a);
	/* With much memory, the kernel may use huge pages as it likes. */
	REQUIRE(arena_init(&a, 1 << 30, 1 << 30, 1 << 16, 0, &e) == 0);
	CHECK(!has_flag(a.base, " nh"));
	arena_fini(&a);
}

/*
 * An arena with huge pages begins with one, wherever the kernel has placed it.
 * Huge pages that would mostly stay unused are not asked for.
 */
static void
arenas_begin_with_a_huge_page(void)
{
	const size_t least = 64 << 20, odd = 4096;
	struct hp_err e = { 0 };
	struct arena a;

	REQUIRE(arena_init(&a, least + HUGE_PAGE + odd, least, 1 << 16,
		    HUGE_PAGE / 2, &e) == 0);
	CHECK((uintptr_t)a.base % HUGE_PAGE == 0);
	CHECK(a.reserved >= least && a.reserved <= least + HUGE_PAGE + odd);
	a.base[0] = a.base[a.reserved - 1] = 'x';
	if (access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0)
		CHECK(has_flag(a.base, " hg") &&
		    !has_flag(a.base + HUGE_PAGE, " hg"));
	arena_fini(&a);
	REQUIRE(arena_init(&a, least + HUGE_PAGE + odd, least, 1 << 16,
		    HUGE_PAGE / 2 - 1, &e) == 0);
	CHECK(!has_flag(a.base, " hg"));
	arena_fini(&a);
	/* Memory that is needed is not given up for that. */
	REQUIRE(arena_init(&a, least + odd, least + odd, 1 << 16,
		    4 * (size_t)HUGE_PAGE, &e) == 0);
	CHECK_EQ_U64(a.reserved, least + odd);
	a.base[0] = a.base[a.reserved - 1] = 'x';
	arena_fini(&a);
}

/* All buffers of long records together are limited. Only buffers above 8 MiB
 * count. */
static void
buffers_of_long_records_have_a_limit(void)
{
	const size_t mib = 1 << 20;
	char *a, *b, *all;
	size_t most;

	addresses = 240 * mib;
	most = (size_t)mem_most();
	CHECK_EQ_U64(most, 98 * mib); /* 7/8 of half of the limit, 224 MiB */
	errno = 0;
	CHECK(space_grow(NULL, 0, most + 1) == NULL);
	CHECK_EQ_I64(errno, ENOMEM);
	REQUIRE((a = space_grow(NULL, 0, 9 * mib)) != NULL);
	a[9 * mib - 1] = 'a';
	REQUIRE((a = space_grow(a, 9 * mib, 10 * mib)) != NULL);
	CHECK(a[9 * mib - 1] == 'a');
	errno = 0;
	CHECK(space_grow(NULL, 0, most - 10 * mib + 1) == NULL);
	CHECK_EQ_I64(errno, ENOMEM);
	REQUIRE((all = space_grow(NULL, 0, most - 10 * mib)) != NULL);
	CHECK((b = space_grow(NULL, 0, 8 * mib)) != NULL); /* not counted */
	CHECK(space_grow(NULL, 0, 8 * mib + 1) == NULL);
	CHECK(space_grow(b, 8 * mib, 8 * mib + 1) == NULL);
	space_free(b, 8 * mib);
	space_free(all, most - 10 * mib);
	space_free(a, 10 * mib);
	space_free(NULL, 10 * mib);
	/* All memory has been returned, and nothing twice. */
	CHECK(space_grow(NULL, 0, most + 1) == NULL);
	REQUIRE((all = space_grow(NULL, 0, most)) != NULL);
	space_free(all, most);
	addresses = RLIM_INFINITY;
}

/*
 * A block above 64 KiB is a mapping of its own, which is unmapped when the
 * block is freed.
 */
static void
blocks_go_back_at_once(void)
{
	const size_t few = 1 << 16, large = 3 * (size_t)HUGE_PAGE;
	char *p = space_take(large);

	REQUIRE(p != NULL);
	p[0] = p[large - 1] = 'x';
	if (access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0)
		CHECK(has_flag(p, " hg"));
	space_give(p, large);
	errno = 0;
	CHECK(msync(p, large, MS_ASYNC) == -1 && errno == ENOMEM);
	REQUIRE((p = space_take(few + 1)) != NULL);
	CHECK((uintptr_t)p % (size_t)sysconf(_SC_PAGESIZE) == 0);
	CHECK(!has_flag(p, " hg"));
	space_give(p, few + 1);
	REQUIRE((p = space_take(few)) != NULL);
	p[0] = p[few - 1] = 'x';
	space_give(p, few);
	space_give(NULL, few + 1);
	errno = 0;
	CHECK(space_take((size_t)1 << 60) == NULL);
	CHECK_EQ_I64(errno, ENOMEM);
}

/*
 * If there is less address space than asked for, space_reserve takes less, down
 * to the given least.
 */
static void
less_address_space_is_reserved_if_there_is_less(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), mib = 1 << 20;
	size_t n = 5 * page + 1;
	char *p = space_reserve(&n, 1);

	REQUIRE(p != NULL);
	CHECK_EQ_U64(n, 6 * page);
	p[0] = p[n - 1] = 'x';
	munmap(p, n);
	n = (size_t)1 << 60;
	REQUIRE((p = space_reserve(&n, 64 * mib)) != NULL);
	CHECK(n >= 64 * mib && n < (size_t)1 << 60 && n % page == 0);
	munmap(p, n);
	n = (size_t)1 << 60;
	CHECK(space_reserve(&n, (size_t)1 << 59) == NULL);
	/*
	 * If the address space is limited, space_reserve leaves some of it
	 * free.
	 */
	addresses = 240 * mib;
	n = mib;
	REQUIRE((p = space_reserve(&n, mib)) != NULL);
	CHECK_EQ_U64(n, mib);
	p[n - 1] = 'x';
	errno = 0;
	CHECK(msync(p + n, page, MS_ASYNC) == -1 && errno == ENOMEM);
	munmap(p, n);
	addresses = RLIM_INFINITY;
}

int
main(void)
{
	RUN(small_budgets_have_no_huge_pages);
	RUN(arenas_begin_with_a_huge_page);
	RUN(buffers_of_long_records_have_a_limit);
	RUN(blocks_go_back_at_once);
	RUN(less_address_space_is_reserved_if_there_is_less);
	return test_done();
}

/* Memory beside malloc: what pages it comes in. */
#include <sys/mman.h>

#include "base/space.h"
#include "kernel/pile.h"
#include "test.h"

/* Has the mapping with this address the flag, two letters, in smaps? */
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

/* Two megabytes at the end of a budget of eight would be a quarter more. */
static void
of_little_memory_no_page_is_huge(void)
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
	/* But those that were asked for. */
	REQUIRE(arena_init(&a, 2 * least, least, 1 << 16, huge, &e) == 0);
	CHECK(has_flag(a.base, " hg") && has_flag(a.base + huge - 1, " hg"));
	CHECK(has_flag(a.base + huge, " nh"));
	arena_fini(&a);
	/* Of much memory the system may give what it will. */
	REQUIRE(arena_init(&a, 1 << 30, 1 << 30, 1 << 16, 0, &e) == 0);
	CHECK(!has_flag(a.base, " nh"));
	arena_fini(&a);
}

int
main(void)
{
	RUN(of_little_memory_no_page_is_huge);
	return test_done();
}

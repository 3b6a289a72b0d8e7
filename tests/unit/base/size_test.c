/*
 * Numbers on the command line: their units, limits and what is rejected. The
 * memory that a process may use.
 */

#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>

#include "base/io.h"
#include "base/size.h"
#include "test.h"

#define MIB ((uint64_t)1 << 20)

/* Values that replace the kernel's answers in the tests of memory. */
static struct {
	bool on;
	rlim_t as, data;
	char
	    /* directory with replacements for the files of /proc and /sys */
	    root[32];
} kernel;

int
getrlimit(__rlimit_resource_t resource, struct rlimit *l)
{
	if (!kernel.on)
		return prlimit(0, resource, NULL, l);
	l->rlim_cur = resource == RLIMIT_AS ? kernel.as
	    : resource == RLIMIT_DATA	    ? kernel.data
					    : RLIM_INFINITY;
	l->rlim_max = RLIM_INFINITY;
	return 0;
}

FILE *
fopen(const char *path, const char *mode)
{
	char file[512];
	int fd;

	snprintf(file, sizeof file, "%s%s",
	    kernel.on && *path == '/' ? kernel.root : "", path);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	return fd == -1 ? NULL : fdopen(fd, *mode == 'r' ? "r" : "w");
}

static void
sizes(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = { { "0", 0 }, { "1", 1024 }, { "1b", 1 }, { "3K", 3072 },
		{ "3k", 3072 }, { "2M", 2 << 20 }, { "1G", 1 << 30 },
		{ "5T", (uint64_t)5 << 40 }, { "7P", (uint64_t)7 << 50 },
		{ "18446744073709551615b", UINT64_MAX },
		{ "18014398509481983", UINT64_MAX - 1023 }, { "0%", 0 },
		{ "007K", 7168 }, { " 1", 1024 }, { "+1", 1024 }, { "K", 1024 },
		{ "k", 1024 }, { "M", 1 << 20 }, { "2m", 2 << 20 },
		{ "3g", 3ULL << 30 }, { "1t", 1ULL << 40 },
		{ "15E", 15ULL << 60 } };
	static const char *bad[] = { "", "1 ", "-1", "- 1", "b", "1KK", "1KB",
		"1e", "1p", "1Q", "1.5G", "0x10", "1e3", "%", "+", "5%%",
		"18446744073709551615%", "16E", "18446744073709551616b",
		"18014398509481984", "99999999999999999999999", "16384P",
		"1\n" };
	struct hp_err e;
	uint64_t n;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		n = 42;
		CHECK(size_parse(good[i].text, &n, &e) == 0);
		CHECK_EQ_U64(n, good[i].bytes);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		n = 42;
		CHECK(size_parse(bad[i], &n, &e) == -1);
		CHECK(e.kind == HP_USAGE && strstr(e.text, bad[i]) != NULL);
		CHECK_EQ_U64(n, 42);
	}
}

static void
shares_of_memory(void)
{
	uint64_t n, all = mem_limit();
	struct hp_err e;

	CHECK(all >= 1 << 20);
	CHECK(size_parse("100%", &n, &e) == 0);
	CHECK(n <= all && all - n < 100);
	CHECK(size_parse("50%", &n, &e) == 0);
	CHECK(n <= all / 2 && all / 2 - n < 100);
	CHECK(size_parse("200%", &n, &e) == 0 && n > all);
	CHECK(cpu_count() >= 1);
}

static void
extents(void)
{
	static const struct {
		const char *text;
		uint64_t offset, bytes;
	} good[] = { { "0:0", 0, 0 }, { "7:12", 7, 12 },
		{ "1K:3k", 1024, 3072 },
		{ "2M:5g", 2 << 20, (uint64_t)5 << 30 },
		{ "3T:9223372036854775807", (uint64_t)3 << 40, INT64_MAX } };
	static const char *bad[] = { "", "1", ":", "1:", ":1", "1:2:3", "-1:2",
		"1: 2", "1P:2", "1:2B", "1:2KB", "K:1", "1:1.5K",
		"0:9223372036854775808", "0:8388608T", "8388608T:0",
		"16777216T:0" };
	struct hp_err e;
	uint64_t offset, bytes;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECK(extent_parse(good[i].text, &offset, &bytes, &e) == 0);
		CHECK_EQ_U64(offset, good[i].offset);
		CHECK_EQ_U64(bytes, good[i].bytes);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(extent_parse(bad[i], &offset, &bytes, &e) == -1);
		CHECK(e.kind == HP_USAGE && strstr(e.text, bad[i]) != NULL);
	}
}

static void
threads(void)
{
	static const char *bad[] = { "", "0", "-1", "2x", "x", "+" };
	struct hp_err e = { 0 };
	unsigned n;

	CHECK(threads_parse("2", &n, &e) == 0 && n == 2);
	CHECK(threads_parse(" +3", &n, &e) == 0 && n == 3);
	CHECK(threads_parse("18446744073709551615", &n, &e) == 0 && n == 1024);
	CHECK(threads_parse("99999999999999999999", &n, &e) == 0 && n == 1024);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(threads_parse(bad[i], &n, &e) == -1);
}

static void
counts(void)
{
	static const struct {
		const char *text;
		uint64_t n;
	} good[] = { { "0", 0 }, { "10k", 10000 }, { "10K", 10000 },
		{ "10M", 10000000 }, { "3G", 3000000000 },
		{ "9T", 9000000000000 }, { "9007199254740992", 1ull << 53 },
		{ "9007T", 9007000000000000 } };
	static const char *bad[] = { "", "-1", "1.5M", "9007199254740993",
		"9008T", "1kk", "1P", "1%", "1b", " 1", "18446744073709551617",
		"18446744073709552k" };
	struct hp_err e;
	uint64_t n;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECK(count_parse(good[i].text, &n, &e) == 0);
		CHECK_EQ_U64(n, good[i].n);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(count_parse(bad[i], &n, &e) == -1);
		CHECK(e.kind == HP_USAGE && strstr(e.text, bad[i]) != NULL);
	}
}

static void
integers_within_bounds(void)
{
	static const char *bad[] = { "4", "11", "", "7x", "-7", " 7",
		"18446744073709551616", "18446744073709551623" };
	struct hp_err e;
	uint64_t n;

	CHECK(int_parse("5", 5, 10, &n, "--parallel", &e) == 0 && n == 5);
	CHECK(int_parse("10", 5, 10, &n, "--parallel", &e) == 0 && n == 10);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(int_parse(bad[i], 5, 10, &n, "--parallel", &e) == -1);
		CHECK(
		    e.kind == HP_USAGE && strstr(e.text, "--parallel") != NULL);
	}
	CHECK(
	    int_parse("18446744073709551615", 0, UINT64_MAX, &n, "x", &e) == 0);
	CHECK_EQ_U64(n, UINT64_MAX);
	/* A negative number is still recognized as a number. */
	CHECK(int_parse("-7", 1, UINT64_MAX, &n, "x", &e) == -1);
	CHECK(strcmp(e.text, "x '-7': must be 1 or more") == 0);
	CHECK(int_parse("-", 5, 10, &n, "x", &e) == -1);
	CHECK(strcmp(e.text, "x '-': must be a number") == 0);
}

/* A number that is too large is still a number. */
static void
numbers_beyond_64_bits(void)
{
	static const char large[] = "18446744073709551616";
	struct hp_err e = { 0 };
	uint64_t n;

	CHECK(size_parse(large, &n, &e) == -1);
	CHECK(strstr(e.text, "too large") != NULL);
	CHECK(count_parse(large, &n, &e) == -1);
	CHECK(strstr(e.text, "above 2^53") != NULL);
	CHECK(int_parse(large, 0, UINT64_MAX, &n, "seed", &e) == -1);
	CHECK(strstr(e.text, "must be 0 to 18446744073709551615") != NULL);
}

static void
decimals_above_zero(void)
{
	static const char *bad[] = { "", "0", "-1", "nan", "inf", "1e999", "x",
		"1x", " 1", "-0" };
	struct hp_err e;
	double x;

	CHECK(positive_parse("2.5", &x, "--timeout", &e) == 0 && x == 2.5);
	CHECK(positive_parse("1e-3", &x, "--timeout", &e) == 0 && x == 1e-3);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(positive_parse(bad[i], &x, "--timeout", &e) == -1);
		CHECK(
		    e.kind == HP_USAGE && strstr(e.text, "--timeout") != NULL);
	}
}

/* Sets the limits that the kernel reports. */
static void
kernel_says(rlim_t as, rlim_t data)
{
	kernel.as = as;
	kernel.data = data;
}

/* Writes a file below the root, and makes its directories. */
static void
kernel_file(const char *path, const char *text)
{
	char file[512];
	int fd;

	snprintf(file, sizeof file, "%s%s", kernel.root, path);
	for (char *s = strchr(file + strlen(kernel.root) + 1, '/'); s != NULL;
	     s = strchr(s + 1, '/')) {
		*s = '\0';
		mkdir(file, 0700);
		*s = '/';
	}
	fd = open(file, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	CHECK(fd != -1 && io_write(fd, text, strlen(text)) == 0);
	close(fd);
}

/*
 * mem_addresses returns half of the address space beyond 16 MiB. If the limit
 * is below 32 MiB, it returns a quarter of the limit. Both rules agree at 32
 * MiB.
 */
static void
half_of_the_address_space(void)
{
	kernel.on = true;
	kernel_says(RLIM_INFINITY, RLIM_INFINITY);
	CHECK_EQ_U64(mem_addresses(), UINT64_MAX);
	kernel_says(1016 * MIB, RLIM_INFINITY);
	CHECK_EQ_U64(mem_addresses(), 500 * MIB);
	kernel_says(1016 * MIB, 116 * MIB);
	CHECK_EQ_U64(mem_addresses(), 50 * MIB);
	kernel_says(116 * MIB, 1016 * MIB);
	CHECK_EQ_U64(mem_addresses(), 50 * MIB);
	kernel_says(RLIM_INFINITY, 32 * MIB + 2);
	CHECK_EQ_U64(mem_addresses(), 8 * MIB + 1);
	kernel_says(RLIM_INFINITY, 32 * MIB);
	CHECK_EQ_U64(mem_addresses(), 8 * MIB + 1);
	kernel_says(4 * MIB, RLIM_INFINITY);
	CHECK_EQ_U64(mem_addresses(), MIB + 1);
	kernel_says(0, 0);
	CHECK_EQ_U64(mem_addresses(), 1);
	kernel.on = false;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

/* The smallest limit from the process's cgroup up to the root counts. */
static void
limits_of_cgroups(void)
{
	uint64_t all;

	test_scratch();
	strcpy(kernel.root, "size.XXXXXX");
	REQUIRE(mkdtemp(kernel.root) != NULL);
	kernel.on = true;
	kernel_says(RLIM_INFINITY, RLIM_INFINITY);
	all = mem_limit(); /* no cgroup files exist */
	CHECK(all > 100 * MIB);
	CHECK_EQ_U64(mem_most(), all - all / 8);
	/* cgroup version 2 */
	kernel_file("/proc/self/cgroup", "0::/a/b\n");
	CHECK_EQ_U64(mem_limit(), all);
	kernel_file("/sys/fs/cgroup/a/b/memory.max", "max\n");
	CHECK_EQ_U64(mem_limit(), all);
	kernel_file("/sys/fs/cgroup/a/memory.max", "67108864\n");
	CHECK_EQ_U64(mem_limit(), 64 * MIB);
	CHECK_EQ_U64(mem_most(), 48 * MIB);
	kernel_file("/sys/fs/cgroup/a/b/memory.max", "33554432\n");
	CHECK_EQ_U64(mem_limit(), 32 * MIB);
	kernel_file("/sys/fs/cgroup/memory.max", "16777216\n");
	CHECK_EQ_U64(mem_limit(), 16 * MIB);
	/* A limit of 0 is ignored, because no process could run. */
	kernel_file("/sys/fs/cgroup/memory.max", "0\n");
	CHECK_EQ_U64(mem_limit(), 32 * MIB);
	/* cgroup version 1, with other controllers in the same line */
	kernel_file(
	    "/sys/fs/cgroup/memory/x/y/memory.limit_in_bytes", "8388608\n");
	kernel_file("/sys/fs/cgroup/memory/z/memory.limit_in_bytes", "4096\n");
	kernel_file("/proc/self/cgroup",
	    "7:cpu:/z\n5:memory:/x/y\n4:pids:/z\n0::/a/b\n");
	CHECK_EQ_U64(mem_limit(), 8 * MIB);
	kernel_file("/proc/self/cgroup", "5:memory:/none\n0::/a/b\n");
	CHECK_EQ_U64(mem_limit(), 32 * MIB);
	/* The address space is smaller than the cgroup's limit, so the page
	 * cache needs a smaller reserve. */
	kernel_says(32 * MIB, RLIM_INFINITY);
	CHECK_EQ_U64(mem_limit(), 8 * MIB + 1);
	CHECK_EQ_U64(mem_most(), 7 * MIB + 1);
	kernel.on = false;
	CHECK(nftw(kernel.root, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

int
main(void)
{
	RUN(sizes);
	RUN(shares_of_memory);
	RUN(extents);
	RUN(threads);
	RUN(counts);
	RUN(integers_within_bounds);
	RUN(numbers_beyond_64_bits);
	RUN(decimals_above_zero);
	RUN(half_of_the_address_space);
	RUN(limits_of_cgroups);
	return test_done();
}

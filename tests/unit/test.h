#ifndef HP_TEST_H
#define HP_TEST_H

/*
 * The frame of the tests in C.  A test is a function; main runs each with RUN
 * and returns test_done():
 *
 *	static void
 *	empty_input(void)
 *	{
 *		CHECK_EQ_U64(count(""), 0);
 *	}
 *
 *	int
 *	main(void)
 *	{
 *		RUN(empty_input);
 *		return test_done();
 *	}
 *
 * Each test is one line of TAP on standard output.  A check that fails prints
 * file, line and what it saw, and the test goes on; REQUIRE leaves the function
 * it stands in.  Random tests draw from test_random: the seed is HP_SEED or the
 * clock, and is printed.  With HP_STOP in the environment the program ends at
 * the first test that fails.
 */

#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	unsigned run, failed; /* number of tests */
	unsigned bad;	      /* failed checks of the current test */
	bool seeded;
	uint64_t state;
	char first[512]; /* message of its first failed check */
} test;

enum {
	TEST_SHOW = 10 /* most failed checks to print per test */
};

__attribute__((format(printf, 3, 4))) static inline void
test_bad(const char *file, int line, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (test.bad++ == 0)
		snprintf(test.first, sizeof test.first, "%s:%d %s", file, line,
		    text);
	if (test.bad <= TEST_SHOW)
		printf("# %s:%d: %s\n", file, line, text);
}

static inline void
test_run(const char *name, void (*function)(void))
{
	test.bad = 0;
	function();
	test.run++;
	if (test.bad == 0) {
		printf("ok %u - %s\n", test.run, name);
	} else {
		test.failed++;
		printf("not ok %u - %s # %s\n", test.run, name, test.first);
	}
	fflush(stdout);
	if (test.bad > 0 && getenv("HP_STOP") != NULL)
		_exit(1);
}

static inline int
test_done(void)
{
	printf("1..%u\n", test.run);
	return fflush(stdout) == 0 && test.failed == 0 ? 0 : 1;
}

/*
 * Changes to a directory for temporary files. So their names are short whatever
 * TMPDIR is, as required for sockets.
 */
static inline void
test_scratch(void)
{
	const char *tmp = getenv("TMPDIR");

	if (chdir(tmp != NULL ? tmp : "/tmp") == 0)
		return;
	perror(tmp != NULL ? tmp : "/tmp");
	exit(1);
}

/* Returns how many descriptors this process has open. */
static inline unsigned
test_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n;
}

/* Returns 64 uniform random bits: splitmix64 (Steele, Lea and Flood 2014). */
static inline uint64_t
test_random(void)
{
	const char *seed = getenv("HP_SEED");
	uint64_t z;

	if (!test.seeded) {
		test.state = seed != NULL ? strtoull(seed, NULL, 10)
					  : (uint64_t)time(NULL);
		test.seeded = true;
		printf("# HP_SEED=%" PRIu64 "\n", test.state);
		fflush(stdout);
	}
	z = test.state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/*
 * Returns a uniform number in [0, n), n > 0. The bias of n / 2^64 does not
 * matter here.
 */
static inline uint64_t
test_below(uint64_t n)
{
	return test_random() % n;
}

/* Returns a uniform number in [0, 1). */
static inline double
test_unit(void)
{
	return (double)(test_random() >> 11) * 0x1p-53;
}

static inline void
test_eq_u64(
    const char *file, int line, const char *text, uint64_t got, uint64_t want)
{
	if (got != want)
		test_bad(file, line, "%s: got %" PRIu64 ", expected %" PRIu64,
		    text, got, want);
}

static inline void
test_eq_i64(
    const char *file, int line, const char *text, int64_t got, int64_t want)
{
	if (got != want)
		test_bad(file, line, "%s: got %" PRId64 ", expected %" PRId64,
		    text, got, want);
}

static inline void
test_near(const char *file, int line, const char *text, double got, double want,
    double relative)
{
	double d = got > want ? got - want : want - got;
	double size = want < 0 ? -want : want;

	/* Written so that NaN fails. */
	if (!(d <= relative * size))
		test_bad(file, line, "%s: got %.17g, expected %.17g", text, got,
		    want);
}

static inline void
test_eq_str(const char *file, int line, const char *text, const char *got,
    const char *want)
{
	if (got == NULL || strcmp(got, want) != 0)
		test_bad(file, line, "%s: got \"%s\", expected \"%s\"", text,
		    got == NULL ? "(null)" : got, want);
}

static inline void
test_bytes(const char *file, int line, const char *text, const void *got,
    size_t got_len, const void *want, size_t want_len)
{
	const unsigned char *a = got, *b = want;
	size_t i, n = got_len < want_len ? got_len : want_len;

	for (i = 0; i < n && a[i] == b[i]; i++)
		;
	if (i < n)
		test_bad(file, line, "%s: byte %zu is %02x, expected %02x",
		    text, i, a[i], b[i]);
	else if (got_len != want_len)
		test_bad(file, line, "%s: %zu bytes, expected %zu", text,
		    got_len, want_len);
}

#define RUN(function) test_run(#function, function)

#define CHECK(expr)                                                \
	do {                                                       \
		if (!(expr))                                       \
			test_bad(__FILE__, __LINE__, "%s", #expr); \
	} while (0)

#define REQUIRE(expr)                                              \
	do {                                                       \
		if (!(expr)) {                                     \
			test_bad(__FILE__, __LINE__, "%s", #expr); \
			return;                                    \
		}                                                  \
	} while (0)

/* The first argument is the value, the second the expected value. */
#define CHECK_EQ_U64(got, want) \
	test_eq_u64(__FILE__, __LINE__, #got, (uint64_t)(got), (uint64_t)(want))
#define CHECK_EQ_I64(got, want) \
	test_eq_i64(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(want))
#define CHECK_EQ_STR(got, want) \
	test_eq_str(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_NEAR(got, want, relative) \
	test_near(__FILE__, __LINE__, #got, (got), (want), (relative))
#define CHECK_BYTES(got, got_len, want, want_len) \
	test_bytes(                               \
	    __FILE__, __LINE__, #got, (got), (got_len), (want), (want_len))

#endif

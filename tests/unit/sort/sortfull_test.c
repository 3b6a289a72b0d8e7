/*
 * Sorting to a file that may not grow to its full size fails, for any order of
 * the input and any limit.
 */
#include <sys/mman.h>
#include <sys/resource.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/io.h"
#include "record/order.h"
#include "sort/sort.h"
#include "test.h"

enum {
	WIDTH = 10, /* bytes of a line with its newline */
	SMALL = 20,
	LARGE = 120000 /* lines: several threads write them */
};

enum input_shape {
	RISING,
	FALLING,
	MIXED,
	SHAPES
};

static const char *const shapes[] = { "rising", "falling", "mixed" };

static char text[LARGE * WIDTH + 1];

/*
 * Writes the lines 0 to n - 1 in the given order.  Returns the descriptor of
 * the file.
 */
static int
write_lines(enum input_shape shape, int n, bool newline)
{
	int fd = memfd_create("in", 0);

	for (int i = 0; i < n; i++) {
		int k = shape == RISING ? i
		    : shape == FALLING	? n - 1 - i
					: (i + n / 2) % n;

		snprintf(text + (size_t)i * WIDTH, WIDTH + 1, "%09d\n", k);
	}
	if (io_write(fd, text, (size_t)n * WIDTH - !newline) == -1)
		test_bad(__FILE__, __LINE__, "input");
	return fd;
}

/* Checks that a file has the lines 0 to n - 1 in ascending order. */
static void
expect_lines(int fd, int n)
{
	char want[WIDTH + 1];

	REQUIRE(lseek(fd, 0, SEEK_END) == (off_t)n * WIDTH);
	REQUIRE(io_pread(fd, text, (size_t)n * WIDTH, 0) == (ssize_t)n * WIDTH);
	for (int i = 0; i < n; i++) {
		snprintf(want, sizeof want, "%09d\n", i);
		REQUIRE(memcmp(text + (size_t)i * WIDTH, want, WIDTH) == 0);
	}
}

static int
sort_to(int in, int out, bool unique, struct hp_err *e)
{
	char name[32];
	const char *file = name;
	struct sort_stats stats;
	struct order o;
	struct sort_job j = { .order = &o,
		.file = &file,
		.nfiles = 1,
		.extent_bytes = UINT64_MAX,
		.memory = 64 << 20,
		.threads = 2 };
	int rc;

	snprintf(name, sizeof name, "/proc/self/fd/%d", in);
	order_init(&o);
	CHECK(order_option(&o, 'F', "line", e) == 0);
	o.unique = unique;
	CHECK(order_ready(&o, e) == 0);
	rc = sort_files(&j, out, "out", &stats, e);
	order_fini(&o);
	return rc;
}

static void
expect(
    int rc, const struct hp_err *e, int errnum, const char *what, rlim_t most)
{
	if (rc == -1 && e->kind == HP_IO && e->errnum == errnum)
		return;
	test_bad(__FILE__, __LINE__, "%s, %llu bytes: %d, %d, %s", what,
	    (unsigned long long)most, rc, e->errnum, e->text);
}

static void
a_file_that_may_not_grow(void)
{
	struct rlimit limit, few;

	signal(SIGXFSZ, SIG_IGN);
	REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
	for (int i = 0; i < SHAPES * 2 * 2 * 2; i++) {
		enum input_shape shape = i % SHAPES;
		int n = i / SHAPES % 2 ? LARGE : SMALL;
		bool newline = i / SHAPES / 2 % 2, unique = i / SHAPES / 4;
		rlim_t whole = (rlim_t)n * WIDTH,
		       most[] = { 0, 1, whole / 2, whole - 1, whole };
		int in = write_lines(shape, n, newline);

		for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
			int out = memfd_create("out", MFD_CLOEXEC), rc;
			struct hp_err e = { 0 };

			few = limit;
			few.rlim_cur = most[k];
			REQUIRE(setrlimit(RLIMIT_FSIZE, &few) == 0);
			rc = sort_to(in, out, unique, &e);
			REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
			if (most[k] < whole) {
				expect(rc, &e, EFBIG, shapes[shape], most[k]);
			} else {
				CHECK_EQ_I64(rc, 0);
				expect_lines(out, n);
			}
			close(out);
		}
		close(in);
	}
}

static void
a_device_that_is_full(void)
{
	for (int i = 0; i < SHAPES * 2; i++) {
		int n = i / SHAPES ? LARGE : SMALL;
		int in = write_lines(i % SHAPES, n, true);
		int out = open("/dev/full", O_WRONLY);
		struct hp_err e = { 0 };

		REQUIRE(out != -1);
		expect(sort_to(in, out, false, &e), &e, ENOSPC,
		    shapes[i % SHAPES], 0);
		close(out);
		close(in);
	}
}

int
main(void)
{
	RUN(a_file_that_may_not_grow);
	RUN(a_device_that_is_full);
	return test_done();
}

/*
 * Reading ahead: the kernel is told of each byte that the next batch will read,
 * and of no other. posix_fadvise of this program replaces that of libc.
 */
#include <fcntl.h>
#include <unistd.h>

#include "input/ahead.h"
#include "input/input.h"
#include "test.h"

static struct {
	int fd;
	unsigned calls;
	/* of all calls; each begins where the previous one ended */
	off_t begin, end;
} told;

int
posix_fadvise(int fd, off_t at, off_t len, int advice)
{
	CHECK_EQ_I64(advice, POSIX_FADV_WILLNEED);
	if (told.calls++ == 0)
		told.begin = at;
	else
		CHECK_EQ_I64(at, told.end);
	told.fd = fd;
	told.end = at + len;
	return 0;
}

static void
read_ahead(int fd, uint64_t given)
{
	struct input in = { .fd = fd, .given = given };
	struct ahead a;

	memset(&told, 0, sizeof told);
	ahead_start(&a, &in);
	ahead_end(&a);
}

static void
as_much_is_read_ahead_as_the_last_batch_had(void)
{
	FILE *f = tmpfile();
	off_t at = 12345;
	/* The range is told in pieces of at most 1 MiB. */
	const off_t piece = 1 << 20;

	REQUIRE(f != NULL);
	REQUIRE(lseek(fileno(f), at, SEEK_SET) == at);
	for (uint64_t given = 1; given < (uint64_t)1 << 40; given *= 37) {
		off_t end = at + (off_t)(given < 1 << 30 ? given : 1 << 30);

		read_ahead(fileno(f), given);
		CHECK_EQ_I64(told.fd, fileno(f));
		CHECK_EQ_I64(told.begin, at);
		CHECK(told.end >= end && told.end - end < piece);
		CHECK_EQ_I64(lseek(fileno(f), 0, SEEK_CUR), at);
	}
	read_ahead(fileno(f), 0);
	CHECK_EQ_U64(told.calls, 0);
	fclose(f);
}

static void
nothing_is_read_ahead_from_a_pipe(void)
{
	int fd[2];

	REQUIRE(pipe(fd) == 0);
	read_ahead(fd[0], 1 << 20);
	CHECK_EQ_U64(told.calls, 0);
	read_ahead(-1, 1 << 20);
	CHECK_EQ_U64(told.calls, 0);
	close(fd[0]);
	close(fd[1]);
}

int
main(void)
{
	RUN(as_much_is_read_ahead_as_the_last_batch_had);
	RUN(nothing_is_read_ahead_from_a_pipe);
	return test_done();
}

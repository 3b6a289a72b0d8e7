/* Complete lines of files, and their names (base/io.h). */

#include <sys/mman.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "test.h"

/* Checks how many bytes of the text io_whole_lines keeps. */
static void
keeps(const char *text, size_t len, size_t want)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);

	REQUIRE(io_write(fd, text, len) == 0);
	CHECK_EQ_I64(io_whole_lines(fd), 0);
	CHECK_EQ_I64(lseek(fd, 0, SEEK_END), want);
	close(fd);
}

static void
an_incomplete_line_is_cut_off(void)
{
	enum {
		LONG = 20000
	};
	static char text[LONG];

	keeps("", 0, 0);
	keeps("a", 1, 0);
	keeps("\n", 1, 1);
	keeps("a\n", 2, 2);
	keeps("a\nb", 3, 2);
	keeps("a\n\nbc", 5, 3);
	memset(text, 'x', LONG);
	keeps(text, LONG, 0);
	/* The last newline may be anywhere in the blocks that are read. */
	for (size_t at = 0; at < LONG; at += 1 + test_below(60)) {
		text[at] = '\n';
		keeps(text, LONG, at + 1);
		text[at] = 'x';
	}
	for (size_t at = LONG - 4096 - 2; at <= LONG - 4096 + 2; at++) {
		text[at] = '\n';
		keeps(text, LONG, at + 1);
		text[at] = 'x';
	}
}

static void
a_pipe_has_no_end_to_cut(void)
{
	int fd[2];

	REQUIRE(pipe(fd) == 0);
	CHECK_EQ_I64(io_whole_lines(fd[0]), -1);
	CHECK_EQ_I64(errno, ESPIPE);
	close(fd[0]);
	close(fd[1]);
}

#define FIRST "io_test.first"
#define SECOND "io_test.second"

static int
make_file(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd != -1);
	return fd;
}

static void
a_name_refers_to_another_file_or_to_none(void)
{
	int fd = make_file(FIRST), dir = open(".", O_PATH | O_CLOEXEC), other;

	CHECK(io_has_name(fd, AT_FDCWD, FIRST, 0) &&
	    io_has_name(fd, dir, FIRST, 0));
	CHECK(rename(FIRST, SECOND) == 0);
	CHECK(
	    !io_has_name(fd, dir, FIRST, 0) && io_has_name(fd, dir, SECOND, 0));
	other = make_file(FIRST);
	CHECK(!io_has_name(fd, dir, FIRST, 0) &&
	    io_has_name(other, dir, FIRST, 0));
	CHECK(unlink(FIRST) == 0 && symlink(SECOND, FIRST) == 0);
	CHECK(io_has_name(fd, dir, FIRST, 0));
	CHECK(!io_has_name(fd, dir, FIRST, AT_SYMLINK_NOFOLLOW));
	CHECK(unlink(FIRST) == 0 && unlink(SECOND) == 0);
	CHECK(!io_has_name(fd, dir, SECOND, 0));
	CHECK(!io_has_name(other, AT_FDCWD, FIRST, 0));
	close(fd);
	close(dir);
	close(other);
}

int
main(void)
{
	RUN(an_incomplete_line_is_cut_off);
	RUN(a_pipe_has_no_end_to_cut);
	test_scratch();
	RUN(a_name_refers_to_another_file_or_to_none);
	return test_done();
}

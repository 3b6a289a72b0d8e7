/* Temporary files: the choice of the directory, and the message if it is
 * full. */

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "../fault/named.h"
#include "base/names.h"
#include "base/tmp.h"
#include "test.h"

enum {
	BLOCK = 4096 /* block size in bytes of the simulated disks */
};

/* Free blocks of the simulated disks; `rest` for directories whose name starts
 * with r. */
static struct {
	uint64_t all, rest;
	bool broken; /* statvfs fails */
} disk = { .all = 1000, .rest = 1000 };

static int
answer(struct statvfs *v, uint64_t blocks)
{
	*v = (struct statvfs){ .f_bfree = blocks,
		.f_bavail = blocks,
		.f_frsize = BLOCK,
		.f_bsize = 2 * BLOCK };
	return disk.broken ? -1 : 0;
}

int
statvfs(const char *restrict path, struct statvfs *restrict v)
{
	return answer(v, *path == 'r' ? disk.rest : disk.all);
}

int
fstatvfs(int fd, struct statvfs *v)
{
	(void)fd;
	return answer(v, disk.all);
}

int
open(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	va_start(ap, flags);
	fd = named_open(path, flags, ap);
	va_end(ap);
	return fd;
}

static unsigned unlink_fails; /* number of calls of unlink that fail */

int
unlink(const char *path)
{
	if (unlink_fails == 0)
		return unlinkat(AT_FDCWD, path, 0);
	errno = unlink_fails-- == 2 ? EROFS : EBUSY;
	return -1;
}

static unsigned
entries(const char *dir)
{
	DIR *dp = opendir(dir);
	struct dirent *d;
	unsigned n = 0;

	while (dp != NULL && (d = readdir(dp)) != NULL)
		n += d->d_name[0] != '.' || strlen(d->d_name) > 2;
	if (dp != NULL)
		closedir(dp);
	return n;
}

/* Returns whether the open file is in this directory. */
static bool
is_in(int fd, const char *dir)
{
	char *got = tmp_directory(fd), want[PATH_MAX];
	bool same = got != NULL && realpath(dir, want) != NULL &&
	    strcmp(got, want) == 0;

	free(got);
	return same;
}

static const char *two[] = { "a", "rest" };
static const struct tmpdirs both = { .dir = two, .n = 2 };

static void
goes_to(const struct tmpdirs *t, size_t turn, uint64_t need, const char *dir)
{
	struct hp_err e;
	int fd = tmp_open(t, turn, need, &e);

	REQUIRE(fd != -1);
	CHECK(is_in(fd, dir));
	close(fd);
}

static void
files_go_to_the_directories_in_turn(void)
{
	CHECK_EQ_U64(tmp_places(&both), 2);
	for (size_t turn = 0; turn < 5; turn++)
		goes_to(&both, turn, 0, two[turn % 2]);
}

static void
the_usual_directories(void)
{
	struct tmpdirs t = { 0 }, out = { .output = "a/out" };

	CHECK_EQ_U64(tmp_places(&t), 3);
	setenv("TMPDIR", "rest", 1);
	goes_to(&out, 0, 0, "rest");
	goes_to(&out, 1, 0, "a");
	goes_to(&out, 2, 0, "/var/tmp");
	goes_to(&out, 3, 0, "rest");
	goes_to(&t, 1, 0, "/var/tmp");
	setenv("TMPDIR", "", 1);
	goes_to(&out, 0, 0, "a");
	unsetenv("TMPDIR");
	goes_to(&out, 0, 0, "a");
	goes_to(&t, 0, 0, "/var/tmp");
	/* The directory of a device or FIFO is not used. */
	t.output = "/dev/null";
	goes_to(&t, 0, 0, "/var/tmp");
	REQUIRE(mkfifo("a/fifo", 0600) == 0);
	t.output = "a/fifo";
	goes_to(&t, 0, 0, "/var/tmp");
	unlink("a/fifo");
}

static void
a_directory_without_space_is_skipped(void)
{
	struct hp_err e;
	char text[200];

	disk.rest = 500;
	goes_to(&both, 1, 500 * BLOCK, "rest");
	goes_to(&both, 1, 500 * BLOCK + 1, "a");
	goes_to(&both, 0, 1000 * BLOCK, "a");
	CHECK_EQ_I64(tmp_open(&both, 0, 1000 * BLOCK + 1, &e), -1);
	CHECK_EQ_I64(e.kind, HP_IO);
	snprintf(text, sizeof text,
	    "temporary file of %d bytes: no space (a has %d free, rest has %d "
	    "free)",
	    1000 * BLOCK + 1, 1000 * BLOCK, 500 * BLOCK);
	CHECK_EQ_STR(e.text, text);
	/* If the free space is unknown, the directory is tried. */
	disk.broken = true;
	goes_to(&both, 0, 1000 * BLOCK + 1, "a");
	disk.broken = false;
	/*
	 * If the output goes to the same disk, the disk needs space for the
	 * output as well.
	 */
	setenv("TMPDIR", "rest", 1);
	struct tmpdirs out = { .output = "a/out", .output_need = 400 * BLOCK };

	goes_to(&out, 0, 100 * BLOCK, "rest");
	goes_to(&out, 0, 100 * BLOCK + 1, "a");
	goes_to(&out, 0, 600 * BLOCK, "a");
	/* If the needed space is unknown, no space is reserved. */
	goes_to(&out, 0, 0, "rest");
	disk.all = 300;
	out.dir = two;
	out.n = 2;
	CHECK_EQ_I64(tmp_open(&out, 0, 200 * BLOCK, &e), -1);
	snprintf(text, sizeof text,
	    "temporary file and output of %d bytes together: "
	    "no space (a has %d free, rest has %d free)",
	    600 * BLOCK, 300 * BLOCK, 500 * BLOCK);
	CHECK_EQ_STR(e.text, text);
	disk.all = disk.rest = 1000;
	unsetenv("TMPDIR");
}

static void
a_full_disk_is_described(void)
{
	struct tmpdirs out = {
		.dir = two, .n = 2, .output = "a/out", .output_need = 5
	};
	struct hp_err e;

	disk.rest = 0;
	errno = ENOSPC;
	CHECK_EQ_I64(tmp_fail_full(&both, 8192, 4096, &e), -1);
	CHECK(e.kind == HP_IO && e.errnum == ENOSPC);
	CHECK_EQ_STR(e.text,
	    "temporary files of 8192 bytes (a has 4096000 free, rest has 0 "
	    "free)");
	/*
	 * The stated need is not above what was already written, so the real
	 * need is unknown.
	 */
	errno = EDQUOT;
	CHECK_EQ_I64(tmp_fail_full(&out, 8192, 8192, &e), -1);
	CHECK_EQ_I64(e.errnum, EDQUOT);
	CHECK_EQ_STR(e.text,
	    "temporary files of more than 8192 bytes "
	    "(a has 4096000 free, rest has 0 free)");
	CHECK_EQ_I64(tmp_fail_full(&both, 8193, 8192, &e), -1);
	CHECK(strstr(e.text, "of 8193 bytes") != NULL);
	disk.rest = 1000;
}

static void
an_output_that_does_not_fit_is_refused(void)
{
	struct tmpdirs t = { .output = "out" };
	struct hp_err e;
	struct stat st;
	char text[200];
	int fd = open("out", O_CREAT | O_RDWR, 0600);

	disk.all = 10;
	REQUIRE(fd != -1 && pwrite(fd, "x", 1, 0) == 1 && fstat(fd, &st) == 0);
	/* The blocks that the output file already has count as free. */
	t.output_need = 10 * BLOCK + (uint64_t)st.st_blocks * 512;
	CHECK_EQ_I64(tmp_output_fits(&t, fd, &e), 0);
	t.output_need++;
	CHECK_EQ_I64(tmp_output_fits(&t, fd, &e), -1);
	CHECK(e.kind == HP_IO && e.errnum == ENOSPC);
	snprintf(text, sizeof text,
	    "out: output of %" PRIu64 " bytes (%" PRIu64 " are free)",
	    t.output_need, t.output_need - 1);
	CHECK_EQ_STR(e.text, text);
	disk.broken = true;
	CHECK_EQ_I64(tmp_output_fits(&t, fd, &e), 0);
	disk.broken = false;
	t.output = NULL;
	CHECK_EQ_I64(tmp_output_fits(&t, fd, &e), 0);
	close(fd);
	t.output = "/dev/null";
	fd = open("/dev/null", O_WRONLY);
	CHECK_EQ_I64(tmp_output_fits(&t, fd, &e), 0);
	close(fd);
	CHECK_EQ_I64(tmp_output_fits(&t, -1, &e), 0);
	disk.all = 1000;
	unlink("out");
}

static void
a_second_descriptor_is_in_the_same_directory(void)
{
	struct hp_err e;
	struct stat st;
	int fd, beside;

	for (int k = 0; k < 3; k++) {
		named = k > 0;
		named_error = k == 1 ? EOPNOTSUPP : EISDIR;
		REQUIRE((fd = tmp_open(&both, 1, 0, &e)) != -1);
		beside = tmp_open_beside(fd);
		REQUIRE(beside != -1);
		CHECK(is_in(beside, "rest"));
		CHECK(fstat(beside, &st) == 0 && (st.st_mode & 0777) == 0600);
		CHECK_EQ_U64(entries("rest"), 0);
		close(beside);
		close(fd);
	}
	/* Any other error is final. */
	named_error = EACCES;
	CHECK_EQ_I64(tmp_open(&both, 1, 0, &e), -1);
	CHECK(strstr(e.text, "Permission denied") != NULL);
	named_error = EOPNOTSUPP;
	named = false;
	CHECK_EQ_I64(tmp_open_beside(-1), -1);
}

/* A temporary file whose name cannot be removed would be left behind, so it is
 * not used. */
static void
a_name_that_cannot_be_removed(void)
{
	unsigned before = entries("/proc/self/fd");
	const char *dir[] = { "a" };
	struct tmpdirs t = { .dir = dir, .n = 1 };
	struct hp_err e;

	named = true;
	unlink_fails = 1;
	CHECK_EQ_I64(tmp_open(&t, 0, 0, &e), -1);
	CHECK_EQ_STR(e.text, "temporary file: a: Device or resource busy");
	CHECK_EQ_U64(
	    /* the second attempt to remove the name succeeded */
	    entries("a"), 0);
	CHECK_EQ_U64(entries("/proc/self/fd"), before);
	/* The first attempt tells why. */
	unlink_fails = 2;
	CHECK_EQ_I64(tmp_open(&t, 0, 0, &e), -1);
	CHECK_EQ_STR(e.text, "temporary file: a: Read-only file system");
	named = false;
	CHECK_EQ_U64(entries("a"), 1);
	/*
	 * The name is no longer registered, so a later signal does not remove a
	 * file of that name.
	 */
	names_remove();
	CHECK_EQ_U64(entries("a"), 1);
}

static void
remove_files(const char *dir)
{
	DIR *dp = opendir(dir);
	struct dirent *d;

	while (dp != NULL && (d = readdir(dp)) != NULL)
		unlinkat(dirfd(dp), d->d_name, 0);
	if (dp != NULL)
		closedir(dp);
	rmdir(dir);
}

int
main(void)
{
	char dir[] = "tmp.XXXXXX";

	test_scratch();
	if (mkdtemp(dir) == NULL || chdir(dir) == -1 ||
	    mkdir("a", 0700) == -1 || mkdir("rest", 0700) == -1)
		return 2;
	RUN(files_go_to_the_directories_in_turn);
	RUN(the_usual_directories);
	RUN(a_directory_without_space_is_skipped);
	RUN(a_full_disk_is_described);
	RUN(an_output_that_does_not_fit_is_refused);
	RUN(a_second_descriptor_is_in_the_same_directory);
	RUN(a_name_that_cannot_be_removed);
	remove_files("a");
	remove_files("rest");
	if (chdir("..") == -1 || rmdir(dir) == -1)
		return 2;
	return test_done();
}

/* Named outputs appear completely or not at all. Temporary files never
 * appear. */

#include <sys/stat.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/io.h"
#include "base/names.h"
#include "base/outfile.h"
#include "base/tmp.h"
#include "../fault/named.h"
#include "test.h"

static void
put(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	CHECK(fd != -1 && io_write(fd, text, strlen(text)) == 0);
	CHECK(fchmod(fd, mode) == 0 && close(fd) == 0);
}

static void
holds(const char *path, const char *text)
{
	char got[100] = "";
	int fd = open(path, O_RDONLY);

	CHECK(fd != -1 && io_read(fd, got, sizeof got - 1) != -1);
	CHECK_EQ_STR(got, text);
	close(fd);
}

static unsigned
mode_of(const char *path)
{
	struct stat st = { 0 };

	CHECK(stat(path, &st) == 0);
	return st.st_mode & 07777;
}

/* Returns the number of files in the directory. */
static unsigned
files(const char *dir)
{
	struct dirent *d;
	DIR *dp = opendir(dir);
	unsigned n = 0;

	while (dp != NULL && (d = readdir(dp)) != NULL)
		n += d->d_name[0] != '.' || strlen(d->d_name) > 2;
	if (dp != NULL)
		closedir(dp);
	return n;
}

static int
replace(const char *path, const char *text)
{
	struct hp_err e = { 0 };
	struct outfile o;

	if (outfile_open(&o, path, &e) == -1)
		return -1;
	CHECK(io_write(o.fd, text, strlen(text)) == 0);
	return outfile_commit(&o, &e);
}

static void
a_new_file_appears_at_commit(void)
{
	mode_t mask = umask(027);

	CHECK(replace("new", "one\n") == 0);
	umask(mask);
	holds("new", "one\n");
	CHECK_EQ_U64(mode_of("new"), 0640);
	CHECK_EQ_U64(files("."), 1);
	unlink("new");
}

static void
a_replaced_file_keeps_its_mode(void)
{
	put("old", "old\n", 0604);
	CHECK(replace("old", "new\n") == 0);
	holds("old", "new\n");
	CHECK_EQ_U64(mode_of("old"), 0604);
	CHECK_EQ_U64(files("."), 1);
	unlink("old");
}

static void
the_old_file_stays_until_commit(void)
{
	struct hp_err e = { 0 };
	struct outfile o;

	put("old", "old\n", 0600);
	REQUIRE(outfile_open(&o, "old", &e) == 0);
	CHECK(io_write(o.fd, "new\n", 4) == 0);
	holds("old", "old\n");
	outfile_abort(&o);
	outfile_abort(&o);
	holds("old", "old\n");
	CHECK_EQ_U64(files("."), 1);
	unlink("old");
}

static int
replace_both(const char *one, const char *two, void (*before)(void))
{
	struct hp_err e = { 0 };
	struct outfile o[2];

	if (outfile_open(&o[0], one, &e) == -1 ||
	    outfile_open(&o[1], two, &e) == -1)
		return -1;
	for (int i = 0; i < 2; i++)
		CHECK(io_write(o[i].fd, "new\n", 4) == 0);
	before();
	return outfile_commit_all((struct outfile *[]){ &o[0], &o[1] }, 2, &e);
}

static void
nothing(void)
{
}

static void
lose_directory(void)
{
	CHECK(rmdir("sub") == 0);
}

static void
several_files_appear_together_or_not_at_all(void)
{
	put("old", "old\n", 0600);
	REQUIRE(mkdir("sub", 0700) == 0);
	CHECK(replace_both("old", "sub/new", lose_directory) == -1);
	holds("old", "old\n");
	CHECK_EQ_U64(files("."), 1);
	CHECK(replace_both("old", "new", nothing) == 0);
	holds("old", "new\n");
	holds("new", "new\n");
	CHECK_EQ_U64(files("."), 2);
	unlink("old");
	unlink("new");
}

static void
a_replaced_file_keeps_its_owner(void)
{
	struct stat st = { 0 };

	put("old", "old\n", 0600);
	/* Only root may change the owner. */
	if (chown("old", 1234, 5678) == 0) {
		CHECK(replace("old", "new\n") == 0);
		CHECK(stat("old", &st) == 0);
		CHECK_EQ_U64(st.st_uid, 1234);
		CHECK_EQ_U64(st.st_gid, 5678);
	}
	unlink("old");
}

static void
a_link_is_followed_and_its_file_replaced(void)
{
	char to[100] = "";

	REQUIRE(mkdir("sub", 0700) == 0);
	put("sub/file", "old\n", 0600);
	REQUIRE(symlink("sub/file", "link") == 0);
	CHECK(replace("link", "new\n") == 0);
	CHECK(readlink("link", to, sizeof to - 1) > 0);
	CHECK_EQ_STR(to, "sub/file");
	holds("sub/file", "new\n");
	CHECK_EQ_U64(files("sub"), 1);
	unlink("link");
	unlink("sub/file");
	rmdir("sub");
}

static void
a_dangling_link_is_followed(void)
{
	char to[100] = "";

	REQUIRE(mkdir("sub", 0700) == 0);
	REQUIRE(symlink("sub/next", "link") == 0);
	REQUIRE(symlink("made", "sub/next") == 0);
	CHECK(replace("link", "new\n") == 0);
	CHECK(readlink("link", to, sizeof to - 1) > 0);
	CHECK_EQ_STR(to, "sub/next");
	holds("sub/made", "new\n");
	unlink("sub/made");
	unlink("sub/next");
	rmdir("sub");
	CHECK(replace("link", "new\n") == -1);
	unlink("link");
	CHECK_EQ_U64(files("."), 0);
}

static void
devices_and_fifos_are_written_to(void)
{
	char got[10] = "";
	int fd;

	CHECK(replace("/dev/null", "gone\n") == 0);
	REQUIRE(mkfifo("fifo", 0600) == 0);
	fd = open("fifo", O_RDWR);
	CHECK(replace("fifo", "text\n") == 0);
	CHECK(read(fd, got, 5) == 5);
	CHECK_EQ_STR(got, "text\n");
	close(fd);
	unlink("fifo");
}

static void
errors_name_the_file(void)
{
	struct hp_err e = { 0 };
	struct outfile o;

	CHECK(outfile_open(&o, "none/file", &e) == -1);
	CHECK(e.kind == HP_IO && e.errnum == ENOENT);
	CHECK_EQ_STR(e.text, "none/file");
	CHECK(outfile_open(&o, ".", &e) == -1);
	CHECK_EQ_I64(e.errnum, EISDIR);
	CHECK(outfile_open(&o, "", &e) == -1);
	CHECK_EQ_I64(e.errnum, ENOENT);
	put("old", "old\n", 0600);
	CHECK(outfile_open(&o, "old/x", &e) == -1);
	CHECK_EQ_I64(e.errnum, ENOTDIR);
	unlink("old");
	CHECK_EQ_U64(files("."), 0);
}

/* Root may write anywhere, so root makes the check as another user. Other users
 * remove their own write permission. */
static void
a_directory_that_may_not_be_written(void)
{
	struct hp_err e = { 0 };
	struct outfile o;
	int status;
	pid_t pid;

	REQUIRE(mkdir("sub", 0755) == 0);
	put("sub/file", "old\n", 0644);
	fflush(stdout);
	REQUIRE((pid = fork()) != -1);
	if (pid == 0) {
		if (geteuid() == 0 ? setgid(65534) != 0 || setuid(65534) != 0
				   : chmod("sub", 0500) != 0)
			_exit(9);
		_exit(
		    outfile_open(&o, "sub/file", &e) == -1 && e.errnum == EACCES
			? 0
			: 1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	holds("sub/file", "old\n");
	CHECK_EQ_U64(files("sub"), 1);
	chmod("sub", 0700);
	unlink("sub/file");
	rmdir("sub");
}

static void
killed_midway_leaves_nothing(void)
{
	struct hp_err e = { 0 };
	struct outfile o;
	int ready[2], tmp;
	pid_t pid;
	char c;

	put("old", "old\n", 0600);
	REQUIRE(pipe(ready) == 0);
	fflush(stdout);
	REQUIRE((pid = fork()) != -1);
	if (pid == 0) {
		const char *dir[] = { "." };
		struct tmpdirs t = { .dir = dir, .n = 1 };

		tmp = tmp_open(&t, 0, 0, &e);
		if (tmp == -1 || outfile_open(&o, "old", &e) == -1 ||
		    io_write(tmp, "new\n", 4) == -1 ||
		    io_write(o.fd, "new\n", 4) == -1 ||
		    io_write(ready[1], "x", 1) == -1)
			_exit(1);
		pause();
	}
	CHECK(read(ready[0], &c, 1) == 1);
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	holds("old", "old\n");
	CHECK_EQ_U64(files("."), 1);
	close(ready[0]);
	close(ready[1]);
	unlink("old");
}

static bool strike;

/* Replaces the function of libc, which outfile_commit calls. */
int
rename(const char *from, const char *to)
{
	if (strike)
		kill(getpid(), SIGTERM);
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/*
 * The signal comes during rename: one file has its final name, the others have
 * temporary names beside their targets.
 */
static void
a_signal_at_the_end_leaves_nothing(void)
{
	int status = 0;
	pid_t pid;

	put("old", "old\n", 0600);
	if ((pid = fork()) == 0) {
		strike = true;
		replace_both("old", "other", nothing);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	holds("old", "new\n");
	holds("other", "new\n");
	CHECK_EQ_U64(files("."), 2);
	unlink("old");
	unlink("other");
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

/*
 * Four outputs: one is committed, one is aborted, and a signal ends the other
 * two.
 */
static void
without_unnamed_files_temporary_names_are_removed(void)
{
	struct hp_err e = { 0 };
	struct outfile o[2];
	pid_t pid;
	int status;

	named = true;
	put("old", "old\n", 0604);
	CHECK(replace("old", "new\n") == 0);
	holds("old", "new\n");
	CHECK_EQ_U64(mode_of("old"), 0604);
	REQUIRE(outfile_open(&o[0], "old", &e) == 0);
	CHECK_EQ_U64(files("."), 2);
	outfile_abort(&o[0]);
	CHECK_EQ_U64(files("."), 1);
	pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 2; i++)
			if (outfile_open(&o[i], "old", &e) == -1)
				_exit(2);
		if (files(".") != 3)
			_exit(3);
		names_remove();
		if (files(".") != 1)
			_exit(4);
		/* After names_remove, no process owns the files. */
		outfile_abort(&o[0]);
		outfile_abort(&o[1]);
		_exit(0);
	}
	REQUIRE(pid != -1 && waitpid(pid, &status, 0) == pid);
	CHECK_EQ_U64(status, 0);
	holds("old", "new\n");
	unlink("old");
	named = false;
}

/* Without files that have no name, whatever the kernel says, a file with a name
 * will do.  Any other error is final. */
static void
what_open_says_of_files_without_a_name(void)
{
	static const struct {
		int error;
		bool named;
	} cases[] = { { EOPNOTSUPP, true }, { EISDIR, true }, { EACCES, false },
		{ ENOSPC, false }, { EMFILE, false } };
	struct hp_err e;
	struct outfile o;

	named = true;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		named_error = cases[i].error;
		e = (struct hp_err){ 0 };
		CHECK_EQ_I64(
		    outfile_open(&o, "new", &e), cases[i].named ? 0 : -1);
		CHECK_EQ_I64(e.errnum, cases[i].named ? 0 : cases[i].error);
		CHECK_EQ_U64(files("."), cases[i].named);
		outfile_abort(&o);
		CHECK_EQ_U64(files("."), 0);
	}
	named = false;
	named_error = EOPNOTSUPP;
}

/* Writing to these names must not replace the file behind standard output. */
static void
names_of_standard_output(void)
{
	static const char *const names[] = { NULL, "-", "/dev/stdout",
		"/dev/fd/1", "/proc/self/fd/1" };
	struct hp_err e = { 0 };
	struct outfile o;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		REQUIRE(outfile_open(&o, names[i], &e) == 0);
		CHECK_EQ_I64(o.fd, STDOUT_FILENO);
		CHECK(o.target == NULL && o.beside == NULL);
		CHECK_EQ_STR(o.name, "standard output");
		CHECK_EQ_I64(outfile_commit(&o, &e), 0);
	}
	CHECK(fcntl(STDOUT_FILENO, F_GETFD) != -1);
	CHECK_EQ_U64(files("."), 0);
}

static void
an_output_is_continued_by_the_next_process(void)
{
	struct hp_err e = { 0 };
	struct outfile o;
	mode_t mask = umask(026);

	REQUIRE(outfile_take_up(&o, "new", "part", false, &e) == 0);
	CHECK(o.fd == -1 && o.target == NULL);
	CHECK_EQ_U64(files("."), 0);
	/* The file stays when this process aborts, and the next process
	 * continues it. */
	REQUIRE(outfile_take_up(&o, "new", "part", true, &e) == 0);
	CHECK(io_write(o.fd, "one\n", 4) == 0);
	outfile_abort(&o);
	holds("part", "one\n");
	CHECK_EQ_U64(files("."), 1);
	REQUIRE(outfile_take_up(&o, "new", "part", false, &e) == 0);
	CHECK(io_pwrite(o.fd, "two\n", 4, 4) == 0);
	CHECK_EQ_I64(outfile_commit(&o, &e), 0);
	holds("new", "one\ntwo\n");
	CHECK_EQ_U64(mode_of("new"), 0640);
	umask(mask);
	CHECK_EQ_U64(files("."), 1);
	/* Replacing an existing file keeps its mode. */
	CHECK(chmod("new", 0604) == 0);
	REQUIRE(outfile_take_up(&o, "new", "part", true, &e) == 0);
	CHECK(io_write(o.fd, "3\n", 2) == 0);
	holds("new", "one\ntwo\n");
	CHECK_EQ_I64(outfile_commit(&o, &e), 0);
	outfile_abort(&o);
	holds("new", "3\n");
	CHECK_EQ_U64(mode_of("new"), 0604);
	CHECK_EQ_U64(files("."), 1);
	unlink("new");
}

static void
an_output_that_cannot_be_continued_is_refused(void)
{
	struct hp_err e = { 0 };
	struct outfile o;

	CHECK_EQ_I64(outfile_take_up(&o, ".", "part", true, &e), -1);
	CHECK_EQ_I64(e.kind, HP_INPUT);
	CHECK_EQ_STR(e.text, ".: not a regular file");
	CHECK_EQ_I64(outfile_take_up(&o, "new", "none/part", true, &e), -1);
	CHECK(e.kind == HP_IO && e.errnum == ENOENT);
	CHECK_EQ_STR(e.text, "none/part");
	CHECK_EQ_I64(outfile_take_up(&o, "none/new", "part", true, &e), -1);
	CHECK_EQ_I64(e.kind, HP_INPUT);
	CHECK_EQ_STR(e.text, "part: must be on the file system of none/new");
	CHECK_EQ_U64(files("."), 1);
	/* Renaming fails across file systems. */
	CHECK_EQ_I64(outfile_take_up(&o, "/proc/new", "part", true, &e), -1);
	CHECK_EQ_STR(e.text, "part: must be on the file system of /proc/new");
	CHECK(o.fd == -1 && o.target == NULL && o.beside == NULL);
	CHECK_EQ_U64(files("."), 1);
	unlink("part");
}

/* Writers of a part each: what others wrote stays, and no file is replaced. */
static void
parts_of_a_file(void)
{
	static const char *const not_regular[] = { NULL, "-", "/dev/stdout",
		"fifo", "/dev/null" };
	unsigned before = test_descriptors();
	mode_t mask = umask(027);
	struct hp_err e = { 0 };
	struct outfile o;
	int reader;

	REQUIRE(outfile_open_at(&o, "parts", 4, &e) == 0);
	umask(mask);
	CHECK(io_write(o.fd, "later\n", 6) == 0);
	CHECK(outfile_commit(&o, &e) == 0);
	CHECK_EQ_U64(mode_of("parts"), 0640);
	REQUIRE(outfile_open_at(&o, "parts", 0, &e) == 0);
	CHECK(io_write(o.fd, "one\n", 4) == 0);
	outfile_abort(&o);
	holds("parts", "one\nlater\n");
	CHECK_EQ_U64(files("."), 1);
	CHECK(outfile_open_at(&o, "parts", (uint64_t)INT64_MAX + 1, &e) == -1);
	CHECK(e.kind == HP_IO && strstr(e.text, "parts") != NULL);
	REQUIRE(mkfifo("fifo", 0600) == 0);
	/* The FIFO has a reader, else the open would wait for one. */
	reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	for (size_t i = 0; i < sizeof not_regular / sizeof *not_regular; i++) {
		e = (struct hp_err){ 0 };
		CHECK(outfile_open_at(&o, not_regular[i], 0, &e) == -1);
		CHECK(e.kind == (i < 3 ? HP_USAGE : HP_INPUT));
		CHECK(strstr(e.text, "regular file") != NULL);
	}
	CHECK(outfile_open_at(&o, "none/parts", 0, &e) == -1);
	CHECK(e.kind == HP_IO && strstr(e.text, "none/parts") != NULL);
	close(reader);
	unlink("fifo");
	unlink("parts");
	CHECK_EQ_U64(files("."), 0);
	CHECK_EQ_U64(test_descriptors(), before);
}

/*
 * A temporary name is in the directory of its target, short, and used only
 * once.
 */
static void
names_beside_a_file(void)
{
	char *a = names_add("sub/dir/file"), *b = names_add("file"),
	     *c = names_add("sub/dir/file");

	REQUIRE(a != NULL && b != NULL && c != NULL);
	CHECK(strncmp(a, "sub/dir/.hp.", 12) == 0 && strlen(a) == 12 + 16);
	CHECK_EQ_U64(strspn(a + 12, "0123456789abcdef"), 16);
	CHECK(strncmp(b, ".hp.", 4) == 0 && strlen(b) == 4 + 16);
	CHECK(strcmp(a, c) != 0);
	names_drop(a);
	names_drop(c);
	/* names_remove removes only files whose names are still in the list. */
	put(b, "b", 0600);
	names_remove();
	CHECK_EQ_U64(files("."), 0);
	/*
	 * names_remove took the name out of the list, so names_drop does not
	 * free it.
	 */
	names_drop(b);
	free(b);
}

static void
temporary_files_have_no_name(void)
{
	const char *dir[] = { "a", "b" };
	struct tmpdirs t = { .dir = dir, .n = 2 };
	struct stat st, in;
	struct hp_err e = { 0 };
	char c;
	int fd;

	REQUIRE(mkdir("a", 0700) == 0 && mkdir("b", 0700) == 0);
	for (size_t turn = 0; turn < 4; turn++) {
		fd = tmp_open(&t, turn, 4096, &e);
		REQUIRE(fd != -1);
		CHECK(io_pwrite(fd, "x", 1, 5) == 0);
		CHECK(io_pread(fd, &c, 1, 5) == 1 && c == 'x');
		CHECK(fstat(fd, &st) == 0 && stat(dir[turn % 2], &in) == 0);
		CHECK_EQ_U64(st.st_dev, in.st_dev);
		CHECK_EQ_U64(st.st_mode & 0777, 0600);
		CHECK_EQ_U64(files("a") + files("b"), 0);
		close(fd);
	}
	/* A directory that cannot be used is skipped, and the message lists
	 * all. */
	rmdir("a");
	fd = tmp_open(&t, 0, 0, &e);
	CHECK(fd != -1);
	close(fd);
	rmdir("b");
	CHECK(tmp_open(&t, 0, 0, &e) == -1);
	CHECK(e.kind == HP_IO && strstr(e.text, "a: ") != NULL &&
	    strstr(e.text, "b: ") != NULL);
	CHECK(tmp_open(&(struct tmpdirs){ 0 }, 0, UINT64_MAX / 2, &e) == -1);
	CHECK(strstr(e.text, "no space") != NULL);
}

static void
temporary_files_lose_theirs(void)
{
	named = true;
	temporary_files_have_no_name();
	named = false;
}

static void
two_names_of_one_file(void)
{
	static const char *const same[][2] = { { "old", "old" },
		{ "old", "./old" }, { "sub/../old", "old" }, { "new", "new" },
		{ "new", "./new" }, { "link", "old" }, { "dangling", "new" },
		{ "-", "/dev/stdout" } };
	static const char *const other[][2] = { { "old", "new" },
		{ "old", "sub/old" }, { "new", "sub/new" }, { "hard", "old" },
		{ "/dev/null", "/dev/null" }, { "-", "old" },
		{ "none/new", "none/new" } };

	put("old", "old\n", 0600);
	REQUIRE(mkdir("sub", 0700) == 0 && symlink("old", "link") == 0 &&
	    symlink("new", "dangling") == 0 && link("old", "hard") == 0);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		CHECK(outfile_same(same[i][0], same[i][1]) &&
		    outfile_same(same[i][1], same[i][0]));
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		CHECK(!outfile_same(other[i][0], other[i][1]) &&
		    !outfile_same(other[i][1], other[i][0]));
	unlink("hard");
	unlink("dangling");
	unlink("link");
	unlink("old");
	rmdir("sub");
}

int
main(void)
{
	char dir[] = "outfile.XXXXXX";

	test_scratch();
	if (mkdtemp(dir) == NULL || chmod(dir, 0755) == -1 || chdir(dir) == -1)
		return 2;
	RUN(a_new_file_appears_at_commit);
	RUN(a_replaced_file_keeps_its_mode);
	RUN(the_old_file_stays_until_commit);
	RUN(several_files_appear_together_or_not_at_all);
	RUN(a_replaced_file_keeps_its_owner);
	RUN(a_link_is_followed_and_its_file_replaced);
	RUN(a_dangling_link_is_followed);
	RUN(devices_and_fifos_are_written_to);
	RUN(errors_name_the_file);
	RUN(a_directory_that_may_not_be_written);
	RUN(killed_midway_leaves_nothing);
	RUN(a_signal_at_the_end_leaves_nothing);
	RUN(without_unnamed_files_temporary_names_are_removed);
	RUN(what_open_says_of_files_without_a_name);
	RUN(names_of_standard_output);
	RUN(an_output_is_continued_by_the_next_process);
	RUN(an_output_that_cannot_be_continued_is_refused);
	RUN(parts_of_a_file);
	RUN(two_names_of_one_file);
	RUN(names_beside_a_file);
	RUN(temporary_files_have_no_name);
	RUN(temporary_files_lose_theirs);
	if (chdir("..") == -1 || rmdir(dir) == -1)
		return 2;
	return test_done();
}

/* Which files and directories the sweep removes (job/sweep.h). */

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/dirlock.h"
#include "job/sweep.h"
#include "test.h"

enum {
	DEEPEST = 200, /* directories in each other that are swept */
	TAKEN = 100    /* directories that are taken over */
};

static char scratch[] = "sweep.XXXXXX";

static bool
there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void
make_file(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	CHECK(fd != -1 && close(fd) == 0);
}

static void
make_socket(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(a.sun_path, path);
	CHECK(bind(s, (const struct sockaddr *)&a, sizeof a) == 0);
	close(s);
}

/* Makes in and out, and links from in to out. */
static void
make_trees(void)
{
	CHECK(mkdir("out", 0700) == 0 && mkdir("in", 0700) == 0 &&
	    mkdir("in/sub", 0700) == 0);
	make_file("out/file");
	CHECK(mkfifo("out/fifo", 0600) == 0);
	make_file("in/file");
	make_file("in/key");
	make_file("in/lock");
	make_file("in/sub/file");
	make_file("in/sub/key");
	CHECK(mkfifo("in/fifo", 0600) == 0 && mkfifo("in/sub/fifo", 0600) == 0);
	make_socket("in/socket");
	make_socket("in/sub/socket");
	CHECK(symlink("../out", "in/directory") == 0);
	CHECK(symlink("../out/fifo", "in/link") == 0);
}

static void
files_that_a_later_run_can_use_stay(void)
{
	static const char *const stay[] = { "in/file", "in/sub/file",
		"in/sub/key", "in/directory", "in/link", "out/file",
		"out/fifo" };
	static const char *const go[] = { "in/key", "in/lock", "in/fifo",
		"in/socket", "in/sub/fifo", "in/sub/socket" };
	unsigned before = test_descriptors();
	struct hp_err e = { 0 };

	make_trees();
	for (int twice = 0; twice < 2; twice++) {
		errno = EIO; /* of what came before */
		CHECK_EQ_I64(sweep_keep("in", &e), 0);
		for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
			if (!there(stay[i]))
				test_bad(
				    __FILE__, __LINE__, "%s went", stay[i]);
		for (size_t i = 0; i < sizeof go / sizeof *go; i++)
			if (there(go[i]))
				test_bad(
				    __FILE__, __LINE__, "%s stayed", go[i]);
	}
	CHECK_EQ_I64(sweep_keep("in/file", &e), 0);
	CHECK(there("in/file"));
	CHECK_EQ_I64(sweep_keep("none", &e), 0);
	/* A directory of this name is in the way of a later run. */
	CHECK(mkdir("in/lock", 0700) == 0);
	CHECK_EQ_I64(sweep_keep("in", &e), -1);
	CHECK(e.kind == HP_IO && strstr(e.text, "in") != NULL);
	CHECK_EQ_U64(test_descriptors(), before);
}

static void
trees_are_removed_without_following_links(void)
{
	struct hp_err e = { 0 };

	errno = EIO;
	CHECK_EQ_I64(sweep_remove("in/directory", &e), 0);
	CHECK(!there("in/directory") && there("out/file"));
	CHECK_EQ_I64(sweep_remove("in", &e), 0);
	CHECK(!there("in") && there("out/file") && there("out/fifo"));
	CHECK_EQ_I64(sweep_remove("in", &e), 0);
	CHECK_EQ_I64(sweep_remove("out", &e), 0);
	CHECK(!there("out"));
}

static void
a_link_in_the_place_of_a_directory_is_not_followed(void)
{
	struct hp_err e = { 0 };

	CHECK(mkdir("other", 0700) == 0 && symlink("other", "linked") == 0);
	make_file("other/key");
	make_file("other/lock");
	CHECK_EQ_I64(sweep_keep("linked", &e), 0);
	CHECK(there("other/key") && there("other/lock"));
	CHECK_EQ_I64(sweep_remove("linked", &e), 0);
	CHECK_EQ_I64(sweep_remove("other", &e), 0);
}

/* Makes n directories in each other, all of this name, and a file. */
static void
make_deep(int n)
{
	int at = AT_FDCWD, next;

	for (int i = 0; i < n; i++) {
		CHECK(mkdirat(at, "deep", 0700) == 0);
		next = openat(at, "deep", O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (at != AT_FDCWD)
			close(at);
		at = next;
	}
	next = openat(at, "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	CHECK(next != -1);
	close(next);
	close(at);
}

static void
depth_has_a_limit(void)
{
	unsigned before = test_descriptors();
	struct hp_err e = { 0 };

	make_deep(DEEPEST);
	CHECK_EQ_I64(sweep_remove("deep", &e), 0);
	CHECK(!there("deep"));
	make_deep(DEEPEST + 1);
	CHECK_EQ_I64(sweep_remove("deep", &e), -1);
	CHECK_EQ_I64(e.errnum, ELOOP);
	CHECK(there("deep"));
	CHECK_EQ_I64(sweep_remove("deep/deep", &e), 0);
	CHECK_EQ_I64(sweep_remove("deep", &e), 0);
	CHECK_EQ_U64(test_descriptors(), before);
}

/* Locks the directory. Returns its lock. */
static int
take(const char *path)
{
	int dir, lock = -1, rc = 0;

	while (rc == 0) {
		CHECK(mkdir(path, 0700) == 0 || errno == EEXIST);
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir == -1)
			continue;
		if (lock != -1)
			close(lock);
		rc = dirlock_try(dir, &lock);
		close(dir);
	}
	CHECK_EQ_I64(rc, 1);
	return lock;
}

/* Starts a process that owns and removes a directory with a few files. */
static pid_t
start_to_remove(void)
{
	struct hp_err e = { 0 };
	int ready[2];
	pid_t pid;
	char c;

	CHECK(pipe(ready) == 0);
	if ((pid = fork()) == 0) {
		take("taken");
		for (char path[] = "taken/a"; path[6] < 'k'; path[6]++)
			make_file(path);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		_exit(sweep_remove("taken", &e) == 0 ? 0 : 2);
	}
	close(ready[1]);
	CHECK(read(ready[0], &c, 1) == 1);
	close(ready[0]);
	return pid;
}

/*
 * Another process takes the directory over at any moment of the removal. Then
 * the files of that process stay.
 */
static void
a_directory_taken_over_meanwhile_stays(void)
{
	struct hp_err e = { 0 };

	for (int i = 0; i < TAKEN; i++) {
		pid_t pid = start_to_remove();
		int lock = take("taken"), status = -1;

		make_file("taken/mine");
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK_EQ_I64(status, 0);
		CHECK(there("taken/lock") && there("taken/mine"));
		CHECK(!there("taken/a") && !there("taken/j"));
		CHECK_EQ_I64(sweep_remove("taken", &e), 0);
		CHECK(!there("taken"));
		close(lock);
	}
}

int
main(void)
{
	test_scratch();
	if (mkdtemp(scratch) == NULL || chdir(scratch) == -1)
		return 1;
	RUN(files_that_a_later_run_can_use_stay);
	RUN(trees_are_removed_without_following_links);
	RUN(depth_has_a_limit);
	RUN(a_link_in_the_place_of_a_directory_is_not_followed);
	RUN(a_directory_taken_over_meanwhile_stays);
	if (chdir("..") == -1 || rmdir(scratch) == -1)
		return 1;
	return test_done();
}

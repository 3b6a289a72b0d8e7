#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/sweep.h"

#define PATIENCE_S 10.0
#define DEPTH_MOST 200 /* each level needs an open descriptor */

/*
 * Kills the children of this thread. The process has only one thread, so they
 * are all children of the process.
 */
static void
kill_children(void)
{
	FILE *f = fopen("/proc/thread-self/children", "re");
	int pid;

	if (f == NULL)
		return;
	while (fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	fclose(f);
}

/*
 * Repeat the killing, because the children of an ended child become children of
 * this process.
 */
void
sweep_descendants(void)
{
	double until_s = clock_now_s() + PATIENCE_S, wait_s = 1e-4;
	pid_t pid;

	do {
		kill_children();
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid == -1 && errno != EINTR)
			return;
		clock_sleep_s(wait_s);
		if (wait_s < 0.05)
			wait_s *= 2;
	} while (clock_now_s() < until_s);
}

/* What to remove from a directory tree. */
enum sweep_what {
	SWEEP_ALL,
	SWEEP_PASSING /* FIFOs and sockets */
};

static int sweep_entry(int at, const char *name, enum sweep_what, int depth);

static int
sweep_inside(int at, const char *name, enum sweep_what what, int depth)
{
	int fd = openat(
	    at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *d;
	DIR *dir;
	int rc = 0;

	if (fd == -1)
		return errno == ENOENT ? 0 : -1;
	if (depth == DEPTH_MOST || (dir = fdopendir(fd)) == NULL) {
		close(fd);
		errno = ELOOP;
		return -1;
	}
	while ((d = readdir(dir)) != NULL)
		if (strcmp(d->d_name, ".") != 0 &&
		    strcmp(d->d_name, "..") != 0 &&
		    sweep_entry(dirfd(dir), d->d_name, what, depth + 1) == -1)
			rc = errno;
	closedir(dir);
	errno = rc;
	return rc == 0 ? 0 : -1;
}

static int
sweep_entry(int at, const char *name, enum sweep_what what, int depth)
{
	struct stat st;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == -1)
		return errno == ENOENT ? 0 : -1;
	if (S_ISDIR(st.st_mode)) {
		if (sweep_inside(at, name, what, depth) == -1)
			return -1;
		if (what == SWEEP_ALL && unlinkat(at, name, AT_REMOVEDIR) == -1)
			return errno == ENOENT ? 0 : -1;
		return 0;
	}
	if (what == SWEEP_PASSING && !S_ISFIFO(st.st_mode) &&
	    !S_ISSOCK(st.st_mode))
		return 0;
	return unlinkat(at, name, 0) == -1 && errno != ENOENT ? -1 : 0;
}

int
sweep_remove(const char *path, struct hp_err *e)
{
	double until_s = clock_now_s() + PATIENCE_S, wait_s = 1e-3;

	while (sweep_entry(AT_FDCWD, path, SWEEP_ALL, 0) == -1) {
		/*
		 * Try again, because a killed process may still create a file
		 * before it ends.
		 */
		bool again = errno == ENOTEMPTY || errno == EEXIST ||
		    errno == EBUSY;

		if (!again || clock_now_s() > until_s)
			return hp_fail_errno(e, HP_IO, "remove %s", path);
		clock_sleep_s(wait_s);
		if (wait_s < 0.1)
			wait_s *= 2;
	}
	return 0;
}

int
sweep_keep(const char *path, struct hp_err *e)
{
	static const char *const names[] = { "key", "lock" };
	int rc = sweep_entry(AT_FDCWD, path, SWEEP_PASSING, 0);
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; dir != -1 && i < sizeof names / sizeof *names; i++)
		if (unlinkat(dir, names[i], 0) == -1 && errno != ENOENT)
			rc = -1;
	if (rc == -1)
		hp_fail_errno(e, HP_IO, "%s", path);
	if (dir != -1)
		close(dir);
	return rc;
}

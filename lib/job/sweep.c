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
#include "job/dirlock.h"
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

struct sweep {
	enum sweep_what what;
	void (*pulse)(void *context); /* called for each entry; NULL: none */
	void *context;
};

static int
sweep_entry(const struct sweep *, int at, const char *name, int depth);

/* Returns whether sweep_inside passes over the entry of the directory. */
static bool
is_spared(const struct sweep *s, const char *name, int depth)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    (s->what == SWEEP_ALL && depth == 0 && strcmp(name, "lock") == 0);
}

/*
 * Sweeps the entries of a directory. Spares the lock of the whole tree, because
 * it must be removed last (job/dirlock.h).
 */
static int
sweep_inside(const struct sweep *s, int at, const char *name, int depth)
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
		if (!is_spared(s, d->d_name, depth) &&
		    sweep_entry(s, dirfd(dir), d->d_name, depth + 1) == -1)
			rc = errno;
	closedir(dir);
	errno = rc;
	return rc == 0 ? 0 : -1;
}

static int
sweep_entry(const struct sweep *s, int at, const char *name, int depth)
{
	struct stat st;

	if (s->pulse != NULL)
		s->pulse(s->context);
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == -1)
		return errno == ENOENT ? 0 : -1;
	if (S_ISDIR(st.st_mode)) {
		if (sweep_inside(s, at, name, depth) == -1)
			return -1;
		if (s->what == SWEEP_ALL &&
		    unlinkat(at, name, AT_REMOVEDIR) == -1)
			return errno == ENOENT ? 0 : -1;
		return 0;
	}
	if (s->what == SWEEP_PASSING && !S_ISFIFO(st.st_mode) &&
	    !S_ISSOCK(st.st_mode))
		return 0;
	return unlinkat(at, name, 0) == -1 && errno != ENOENT ? -1 : 0;
}

/*
 * Locks a directory again that is not empty after its lock was removed. Returns
 * -1 with ENOTEMPTY if this process may go on, and 0 if the directory belongs
 * to another process.
 */
static int
relock(int dir, int *lock)
{
	int rc;

	if (*lock != -1)
		close(*lock);
	rc = dirlock_try(dir, lock);
	errno = ENOTEMPTY;
	return rc == 0 ? 0 : -1;
}

/*
 * Removes a directory tree, its lock last. If the directory then is not empty,
 * a killed process may have made a file before it ended, or an agent may have
 * taken the directory over. So this process needs a new lock, *lock, to
 * continue. Returns 0 if the directory is gone or belongs to another process.
 */
static int
remove_tree(const struct sweep *s, const char *path, int *lock)
{
	int dir, rc = 0;

	if (sweep_inside(s, AT_FDCWD, path, 0) == -1)
		return -1;
	dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir == -1)
		return errno == ENOENT ? 0 : -1;
	if (sweep_entry(s, dir, "lock", 1) == -1)
		rc = -1;
	else if (rmdir(path) == -1 && errno != ENOENT)
		rc = errno == ENOTEMPTY || errno == EEXIST ? relock(dir, lock)
							   : -1;
	close(dir);
	return rc;
}

static int
remove_once(const struct sweep *s, const char *path, int *lock)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return remove_tree(s, path, lock);
	return sweep_entry(s, AT_FDCWD, path, 0);
}

int
sweep_remove(const char *path, struct hp_err *e)
{
	return sweep_remove_pulsing(path, NULL, NULL, e);
}

int
sweep_remove_pulsing(const char *path, void (*pulse)(void *context),
    void *context, struct hp_err *e)
{
	struct sweep s = { SWEEP_ALL, pulse, context };
	double until_s = clock_now_s() + PATIENCE_S, wait_s = 1e-3;
	int lock = -1, rc;

	while ((rc = remove_once(&s, path, &lock)) == -1) {
		/*
		 * Try again, because a killed process may still create a file
		 * before it ends.
		 */
		bool again = errno == ENOTEMPTY || errno == EEXIST ||
		    errno == EBUSY;

		if (!again || clock_now_s() > until_s) {
			hp_fail_errno(e, HP_IO, "remove %s", path);
			break;
		}
		clock_sleep_s(wait_s);
		if (wait_s < 0.1)
			wait_s *= 2;
	}
	if (lock != -1)
		close(lock);
	return rc;
}

int
sweep_keep(const char *path, struct hp_err *e)
{
	static const char *const names[] = { "key", "lock" };
	struct sweep s = { .what = SWEEP_PASSING };
	int rc = sweep_entry(&s, AT_FDCWD, path, 0);
	int dir = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	for (size_t i = 0; dir != -1 && i < sizeof names / sizeof *names; i++)
		if (unlinkat(dir, names[i], 0) == -1 && errno != ENOENT)
			rc = -1;
	if (rc == -1)
		hp_fail_errno(e, HP_IO, "%s", path);
	if (dir != -1)
		close(dir);
	return rc;
}

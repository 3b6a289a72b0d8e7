#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/agent_io.h"
#include "job/agent_lock.h"
#include "job/dirlock.h"

#define TERM_S 5.0  /* seconds from SIGTERM to SIGKILL */
#define LOST_S 15.0 /* seconds until locking fails: the holder hangs */

/*
 * Returns the ID of the process that holds the lock of the file. Returns 0 if
 * no process holds the lock, or if its holder cannot be found out.
 */
static pid_t
holder(int fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_GETLK, &whole) == -1 || whole.l_type == F_UNLCK ||
	    whole.l_pid <= 0)
		return 0;
	return whole.l_pid;
}

/*
 * Sends SIGTERM or SIGKILL to the process that holds the lock of the file.
 * SIGCONT follows, because a stopped process handles SIGTERM only when it
 * continues.
 */
static void
end_holder(int fd, bool kill_it)
{
	pid_t pid = holder(fd);

	if (pid == 0 || pid == getpid())
		return;
	kill(pid, kill_it ? SIGKILL : SIGTERM);
	kill(pid, SIGCONT);
}

/*
 * Checks a directory that exists already. Other users may be able to create
 * directories and links beside the node's own, and its name is not secret.
 */
static int
check_private(int at, const char *dir, struct hp_err *e)
{
	struct stat st;

	if (fstat(at, &st) == -1)
		return hp_fail(e, HP_IO, "%.900s: %s", dir, strerror(errno));
	if (st.st_uid != geteuid())
		return hp_fail(
		    e, HP_IO, "%.900s: belongs to another user", dir);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return hp_fail(
		    e, HP_IO, "%.900s: other users can write to it", dir);
	return 0;
}

/*
 * Makes the directory, or with `again` takes an existing one, and opens it.
 * Sets *at to -1 if another process is removing the directory.
 */
static int
open_directory(const char *dir, bool again, int *at, struct hp_err *e)
{
	bool made = mkdir(dir, 0700) == 0;

	*at = -1;
	if (!made && (!again || errno != EEXIST))
		return hp_fail(e, HP_IO,
		    "mkdir: cannot create directory '%.900s': %s", dir,
		    strerror(errno));
	*at = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*at == -1 && errno == ENOENT && again)
		return 0;
	if (*at == -1)
		return hp_fail(e, HP_IO, "%.900s: %s", dir, strerror(errno));
	if (made || check_private(*at, dir, e) == 0)
		return 0;
	close(*at);
	return -1;
}

/*
 * Makes the directory if necessary, and tries once to lock it. Returns the same
 * as dirlock_try, with *e.
 */
static int
try_lock(const char *dir, bool again, int *fd, struct hp_err *e)
{
	int at, rc;

	*fd = -1;
	if (open_directory(dir, again, &at, e) == -1)
		return -1;
	if (at == -1)
		return 0;
	rc = dirlock_try(at, fd);
	if (rc == -1)
		hp_fail(e, HP_IO, "%.900s/lock: %s", dir, strerror(errno));
	close(at);
	return rc;
}

int
lock_directory(struct agent *a, const char *dir, bool again, struct hp_err *e)
{
	double begun_s = clock_now_s(), waited_s = 0;
	struct hp_err lost;
	bool asked = false;
	int fd, rc;

	while ((rc = try_lock(dir, again, &fd, e)) == 0) {
		waited_s = clock_now_s() - begun_s;
		if (fd != -1 && (!asked || waited_s > TERM_S)) {
			end_holder(fd, waited_s > TERM_S);
			asked = true;
		}
		if (fd != -1)
			close(fd);
		if (waited_s > LOST_S)
			return hp_fail(e, HP_IO,
			    "%.900s: belongs to a run that is still running",
			    dir);
		/*
		 * Ignore an error of agent_pulse: the main loop will notice
		 * that the launcher is lost.
		 */
		(void)agent_pulse(a, &lost);
		clock_sleep_s(0.01);
	}
	return rc == 1 ? fd : -1;
}

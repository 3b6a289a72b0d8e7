#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/agent_io.h"
#include "job/agent_lock.h"

#define TERM_S 5.0  /* seconds from SIGTERM to SIGKILL */
#define LOST_S 15.0 /* seconds until locking fails: the holder hangs */

/*
 * Returns whether the file name still refers to the open file. An agent that
 * held the lock before may have removed the file.
 */
static bool
is_file(int fd, const char *name)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(name, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

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

static int
make(const char *dir, bool again, struct hp_err *e)
{
	struct stat st;

	if (mkdir(dir, 0700) == 0)
		return 0;
	if (again && errno == EEXIST && stat(dir, &st) == 0 &&
	    S_ISDIR(st.st_mode))
		return 0;
	return hp_fail(e, HP_IO, "mkdir: cannot create directory '%.900s': %s",
	    dir, strerror(errno));
}

/*
 * Tries once to lock the file. Returns 1 if *fd holds the lock, 0 if another
 * process holds it, and -1 on error.
 */
static int
try_lock(
    const char *dir, const char *name, bool again, int *fd, struct hp_err *e)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	*fd = -1;
	if (make(dir, again, e) == -1)
		return -1;
	*fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd == -1 && errno == ENOENT && again)
		return 0; /* another process is removing the directory */
	if (*fd == -1)
		return hp_fail(e, HP_IO, "%.900s: %s", name, strerror(errno));
	if (fcntl(*fd, F_SETLK, &whole) == 0 && is_file(*fd, name))
		return 1;
	return 0;
}

int
lock_directory(struct agent *a, const char *dir, bool again, struct hp_err *e)
{
	double begun_s = clock_now_s(), waited_s = 0;
	struct hp_err lost;
	bool asked = false;
	char *name;
	int fd, rc;

	if (asprintf(&name, "%s/lock", dir) == -1)
		return hp_fail(e, HP_NOMEM, "out of memory");
	while ((rc = try_lock(dir, name, again, &fd, e)) == 0) {
		waited_s = clock_now_s() - begun_s;
		if (fd != -1 && (!asked || waited_s > TERM_S)) {
			end_holder(fd, waited_s > TERM_S);
			asked = true;
		}
		if (fd != -1)
			close(fd);
		if (waited_s > LOST_S) {
			rc = hp_fail(e, HP_IO,
			    "%.900s: belongs to a run that is still running",
			    dir);
			break;
		}
		/*
		 * Ignore an error of agent_pulse: the main loop will notice
		 * that the launcher is lost.
		 */
		(void)agent_pulse(a, &lost);
		clock_sleep_s(0.01);
	}
	free(name);
	if (rc == 1)
		return fd;
	if (fd != -1 && rc == -1)
		close(fd);
	return -1;
}

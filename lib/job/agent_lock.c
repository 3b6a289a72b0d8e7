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
 * Makes the directory if necessary, and tries once to lock it. Returns the same
 * as dirlock_try, with *e.
 */
static int
try_lock(const char *dir, bool again, int *fd, struct hp_err *e)
{
	int at, rc;

	*fd = -1;
	if (make(dir, again, e) == -1)
		return -1;
	at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (at == -1 && errno == ENOENT && again)
		return 0; /* another process is removing the directory */
	rc = at == -1 ? -1 : dirlock_try(at, fd);
	if (rc == -1)
		hp_fail(e, HP_IO, "%.900s%s: %s", dir, at == -1 ? "" : "/lock",
		    strerror(errno));
	if (at != -1)
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

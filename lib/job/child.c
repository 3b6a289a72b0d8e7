#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/child.h"

enum {
	TROUBLE = 2,
	NOT_TO_BE_RUN = 126, /* shell's status: found, not executable */
	NOT_FOUND = 127,     /* shell's status: not found */
	PIPE_BYTES = 1 << 20
};

__attribute__((noreturn)) static void
say_and_exit(const char *what, const char *why, int code)
{
	dprintf(STDERR_FILENO, "%s: %s\n", what, why);
	_exit(code);
}

static int
open_port(const struct child_port *p, bool output)
{
	int flags = O_RDONLY | O_CLOEXEC;

	switch (p->kind) {
	case CHILD_FD:
		if (p->fd != -1)
			return p->fd;
		/*
		 * Open /dev/null in the wrong direction, so that each read or
		 * write of the child fails.
		 */
		return open("/dev/null",
		    output ? O_RDONLY | O_CLOEXEC : O_WRONLY | O_CLOEXEC);
	case CHILD_FILE:
		if (output)
			flags = O_WRONLY | O_CREAT | O_CLOEXEC |
			    (p->append ? O_APPEND : O_TRUNC) |
			    (p->nofollow ? O_NOFOLLOW : 0);
		return open(p->file, flags, 0600);
	default:
		return open("/dev/null", O_RDWR | O_CLOEXEC);
	}
}

/*
 * Makes the descriptor `target` refer to what the port describes. If the port
 * is a descriptor, its number must be above 2, because lower numbers are
 * replaced.
 */
static void
take_port(const struct child_port *p, int fd, int target)
{
	if (fd == -1)
		fd = open_port(p, target == STDOUT_FILENO);
	if (fd == -1 || dup2(fd, target) == -1)
		say_and_exit(p->kind == CHILD_FILE ? p->file : "/dev/null",
		    strerror(errno), TROUBLE);
}

void
child_signals(void)
{
	sigset_t none;

	/*
	 * SIGXFSZ has a handler, so that a write beyond the limit of `ulimit
	 * -f` fails with EFBIG.  execve restores the default.
	 */
	for (int s = 1; s < NSIG; s++)
		if (s != SIGXFSZ)
			signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Sets up the child like a new login: with a session, signal settings, umask
 * and directory of its own. The kernel kills the child when its parent ends.
 */
static void
settle(pid_t parent, const char *dir)
{
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(TROUBLE); /* the parent ended before prctl */
	child_signals();
	umask(077);
	if (chdir(dir) == -1)
		say_and_exit(dir, strerror(errno), TROUBLE);
}

__attribute__((noreturn)) static void
execute(char *const words[])
{
	execvp(words[0], words);
	if (errno == ENOENT && strchr(words[0], '/') == NULL)
		say_and_exit(words[0], "not found", NOT_FOUND);
	say_and_exit(words[0], strerror(errno),
	    errno == ENOENT ? NOT_FOUND : NOT_TO_BE_RUN);
}

struct pipes {
	int in[2], err[2], out[2];
};

static void
close_pair(int pair[2])
{
	for (int i = 0; i < 2; i++)
		if (pair[i] != -1)
			close(pair[i]);
}

static void
close_pipes(struct pipes *p)
{
	close_pair(p->in);
	close_pair(p->err);
	close_pair(p->out);
}

/* Makes a pipe. Its end pair[ours] is made non-blocking. */
static int
make_pipe(int pair[2], int ours)
{
	if (pipe2(pair, O_CLOEXEC) == -1)
		return -1;
	return fcntl(pair[ours], F_SETFL, O_NONBLOCK);
}

/*
 * Makes a pair of connected sockets that is used like a pipe: pair[1] writes,
 * and pair[0] reads. The end pair[ours] is non-blocking.
 */
static int
make_sockets(int pair[2], int ours, int bytes)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == -1)
		return -1;
	/* pair[0] only reads, and pair[1] only writes. */
	(void)setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
	if (shutdown(pair[0], SHUT_WR) == -1)
		return -1;
	return fcntl(pair[ours], F_SETFL, O_NONBLOCK);
}

/*
 * Makes the connection for a port. A size above the default lets the system
 * switch less often between the parent and the child.
 */
static int
connect_port(
    const struct child_port *port, int pair[2], int ours, int pipe_bytes)
{
	if (port->kind == CHILD_SOCKET)
		return make_sockets(pair, ours, CHILD_OUT_BYTES);
	if (port->kind != CHILD_PIPE)
		return 0;
	if (make_pipe(pair, ours) == -1)
		return -1;
	(void)fcntl(pair[ours], F_SETPIPE_SZ, pipe_bytes);
	return 0;
}

/* Opens the pipes and sockets.  The parent's ends are non-blocking. */
static int
open_pipes(
    struct pipes *p, const struct child_port *in, const struct child_port *out)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (make_pipe(p->err, 0) == 0 &&
	    connect_port(in, p->in, 1, PIPE_BYTES) == 0 &&
	    connect_port(out, p->out, 0, CHILD_OUT_BYTES) == 0)
		return 0;
	close_pipes(p);
	return -1;
}

/*
 * Stores the new process and the parent's ends of its pipes in *c. Closes the
 * child's ends.
 */
static int
adopt(struct child *c, pid_t pid, struct pipes *p, struct hp_err *e)
{
	*c = (struct child){
		.pid = pid, .pidfd = -1, .in = -1, .err = -1, .out = -1
	};
	if (pid != -1)
		c->pidfd = pidfd_open(pid, 0);
	if (c->pidfd == -1) {
		hp_fail_errno(e, HP_IO, "new process");
		child_kill(c);
		if (pid > 0)
			waitpid(pid, NULL, 0);
		c->pid = 0;
		close_pipes(p);
		return -1;
	}
	c->in = p->in[1];
	c->err = p->err[0];
	c->out = p->out[0];
	p->in[1] = p->err[0] = p->out[0] = -1;
	close_pipes(p);
	return 0;
}

/* A command to run, and the descriptors that it gets. */
struct command {
	pid_t parent;
	const char *dir;
	char *const *words;
	const struct child_port *in, *out;
	const struct pipes *pipes;
};

__attribute__((noreturn)) static void
become(const struct command *c)
{
	dup2(c->pipes->err[1], STDERR_FILENO);
	settle(c->parent, c->dir);
	take_port(c->in, c->pipes->in[0], STDIN_FILENO);
	take_port(c->out, c->pipes->out[1], STDOUT_FILENO);
	execute(c->words);
}

/*
 * Returns whether opening the file may wait for another process. A file that
 * does not exist will be a regular file, or opening it fails at once.
 */
static bool
may_wait(const struct child_port *p, const char *dir)
{
	struct stat st;
	int at, rc;

	if (p->kind != CHILD_FILE)
		return false;
	if ((at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC)) == -1)
		return false;
	rc = fstatat(at, p->file, &st, 0);
	close(at);
	return rc == 0 && !S_ISREG(st.st_mode);
}

/*
 * Starts the command in a new process. Normally uses vfork, which saves copying
 * the page tables. The child then shares the memory of this process until it
 * runs the command, and this process is suspended until then. All signals are
 * blocked meanwhile, so that no handler runs in the shared memory. If opening a
 * file may wait for another process, this process must not be suspended, so
 * fork is used instead.
 */
static pid_t
start(const struct command *c)
{
	bool waits = may_wait(c->in, c->dir) || may_wait(c->out, c->dir);
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = waits ? fork() : vfork();
	if (pid == 0)
		become(c);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int
child_start(struct child *c, const char *dir, char *const words[],
    const struct child_port *in, const struct child_port *out, struct hp_err *e)
{
	struct pipes p;
	struct command command = { getpid(), dir, words, in, out, &p };

	if (open_pipes(&p, in, out) == -1)
		return hp_fail_errno(e, HP_IO, "pipe");
	return adopt(c, start(&command), &p, e);
}

int
child_call(struct child *c, const char *dir, int (*function)(void *),
    void *context, struct hp_err *e)
{
	static const struct child_port none = { CHILD_NONE };
	pid_t parent = getpid(), pid;
	struct pipes p;

	if (open_pipes(&p, &none, &none) == -1)
		return hp_fail_errno(e, HP_IO, "pipe");
	if ((pid = fork()) == 0) {
		dup2(p.err[1], STDERR_FILENO);
		settle(parent, dir);
		_exit(function(context));
	}
	return adopt(c, pid, &p, e);
}

void
child_kill(const struct child *c)
{
	if (c->pid <= 0)
		return;
	/*
	 * If the child has not called setsid yet, its process group does not
	 * exist. So kill the process, too.
	 */
	kill(c->pid, SIGKILL);
	kill(-c->pid, SIGKILL);
}

bool
child_ended(struct child *c, int *status, struct rusage *usage)
{
	siginfo_t info = { 0 };

	if (c->pid <= 0 ||
	    waitid(P_PIDFD, (id_t)c->pidfd, &info,
		WEXITED | WNOHANG | WNOWAIT) == -1 ||
	    info.si_pid == 0)
		return false;
	/*
	 * Kill the process group before reaping the child. After the reaping,
	 * the kernel may reuse the number of the group.
	 */
	kill(-c->pid, SIGKILL);
	while (wait4(c->pid, status, 0, usage) == -1 && errno == EINTR)
		;
	close(c->pidfd);
	c->pid = 0;
	c->pidfd = -1;
	return true;
}

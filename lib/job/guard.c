#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "job/guard.h"
#include "job/sweep.h"
#include "job/sweep_taken.h"

/*
 * The worker sends packets to its guard. A packet is one of these letters and a
 * path.
 */
enum {
	REMOVE = 'r',
	KEEP = 'k',
	FORGET = 'f',
	/* after this letter, the packet has a number of seconds, not a path */
	WAIT = 'w'
};

struct guard {
	pid_t pid;   /* process id of the guard */
	int fd;	     /* socket to the other process */
	bool worker; /* this process is the worker */
	struct registered {
		char *path;
		bool keep;
	} * entry;
	size_t n, cap;
	unsigned wait_s;
};

static void
forget(struct guard *g, const char *path)
{
	for (size_t i = 0; i < g->n; i++)
		if (strcmp(g->entry[i].path, path) == 0) {
			free(g->entry[i].path);
			g->entry[i--] = g->entry[--g->n];
		}
}

static int
note(struct guard *g, const char *path, bool keep)
{
	forget(g, path);
	if (ARRAY_ROOM(g->entry, g->n, g->cap) == -1 ||
	    (g->entry[g->n].path = strdup(path)) == NULL)
		return -1;
	g->entry[g->n++].keep = keep;
	return 0;
}

/*
 * Sends the guard a packet. Does not wait for an answer, because the guard
 * reads all queued packets even after the worker has ended.
 */
static int
tell(struct guard *g, char what, const char *path, struct hp_err *e)
{
	char packet[PATH_MAX + 1];
	size_t n = strlen(path);

	if (n >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return hp_fail_errno(e, HP_IO, "%s", path);
	}
	packet[0] = what;
	memcpy(packet + 1, path, n + 1);
	while (send(g->fd, packet, n + 2, MSG_NOSIGNAL) == -1)
		if (errno == EPIPE || errno == ECONNRESET)
			return 0; /* guard_signal reports the guard's end */
		else if (errno != EINTR)
			return hp_fail_errno(e, HP_IO, "guard");
	return 0;
}

int
guard_register(struct guard *g, const char *path, bool keep, struct hp_err *e)
{
	if (note(g, path, keep) == -1)
		return hp_fail(e, HP_NOMEM, "guard");
	return tell(g, keep ? KEEP : REMOVE, path, e);
}

int
guard_forget(struct guard *g, const char *path, struct hp_err *e)
{
	forget(g, path);
	return tell(g, FORGET, path, e);
}

int
guard_wait(struct guard *g, unsigned seconds, struct hp_err *e)
{
	char text[16];

	snprintf(text, sizeof text, "%u", seconds);
	return tell(g, WAIT, text, e);
}

int
guard_fd(const struct guard *g)
{
	return g->fd;
}

int
guard_signal(struct guard *g)
{
	unsigned char signal = 0;
	ssize_t n;

	do
		n = recv(g->fd, &signal, 1, MSG_DONTWAIT);
	while (n == -1 && errno == EINTR);
	if (n == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	return n == 1 ? signal : -1;
}

static void
sweep_one(struct guard *g, const struct registered *r)
{
	struct hp_err e;
	int rc = sweep_unless_taken(r->path, r->keep, g->worker);

	/*
	 * Tell the guard to forget the path. Otherwise the guard would later
	 * remove a new file of the same name. If the removal failed, the guard
	 * tries it once more.
	 */
	if (g->worker && rc == 0)
		tell(g, FORGET, r->path, &e);
}

/* Kills all descendants and removes all registered paths. */
static void
sweep_all(struct guard *g)
{
	sweep_descendants();
	while (g->n > 0) {
		sweep_one(g, &g->entry[--g->n]);
		free(g->entry[g->n].path);
	}
	free(g->entry);
	g->entry = NULL;
	g->cap = 0;
}

/* Reads all packets that the worker has sent so far. */
static void
hear(struct guard *g)
{
	char packet[PATH_MAX + 1];
	ssize_t n;

	while ((n = recv(g->fd, packet, sizeof packet, MSG_DONTWAIT)) > 2 ||
	    (n == -1 && errno == EINTR))
		if (n == -1 || packet[n - 1] != '\0')
			continue;
		else if (packet[0] == FORGET)
			forget(g, packet + 1);
		else if (packet[0] == WAIT)
			g->wait_s = (unsigned)atoi(packet + 1);
		else
			note(g, packet + 1, packet[0] == KEEP);
}

static void
pass_on(struct guard *g, int signals)
{
	struct signalfd_siginfo info;
	unsigned char signal;

	if (read(signals, &info, sizeof info) != sizeof info)
		return;
	signal = (unsigned char)info.ssi_signo;
	send(g->fd, &signal, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/*
 * Waits until all children have ended, or the given time has passed. The
 * children of the ended worker are now children of the guard, because the guard
 * is their subreaper.
 */
static void
wait_for_all(double seconds)
{
	double until_s = clock_now_s() + seconds;
	pid_t pid;

	while (clock_now_s() < until_s) {
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid == -1 && errno == ECHILD)
			return;
		clock_sleep_s(0.01);
	}
}

/*
 * Continues the worker if it is stopped. For a running one, SIGCONT would
 * revoke the SIGSTOP by which a debugger or a leak check attaches to a process.
 */
static void
wake(pid_t worker)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)worker, &info, WSTOPPED | WNOHANG | WNOWAIT) ==
		0 &&
	    info.si_pid == worker)
		kill(worker, SIGCONT);
}

static int
watch(struct guard *g, pid_t worker, int signals)
{
	struct pollfd fds[] = { { .fd = pidfd_open(worker, 0) },
		{ .fd = g->fd }, { .fd = signals },
		{ .fd = STDIN_FILENO, .events = POLLRDHUP } };
	int status;

	for (nfds_t i = 0; i < 3; i++)
		fds[i].events = POLLIN;
	while (fds[0].revents == 0) {
		/*
		 * If the system gives no pidfd, end of file on the socket to
		 * the worker process shows that the worker has ended.
		 */
		if (poll(fds, 4, -1) == -1 && errno != EINTR)
			break;
		if (fds[1].revents != 0)
			hear(g);
		if ((fds[1].revents & POLLHUP) != 0)
			fds[1].fd = -1;
		if (fds[2].revents != 0)
			pass_on(g, signals);
		/*
		 * If the worker is an agent, standard input is its connection,
		 * which has ended now. A stopped worker cannot notice the end
		 * and would remain forever. So let the worker continue.
		 */
		if (fds[3].revents != 0) {
			wake(worker);
			fds[3].fd = -1;
		}
		if (fds[0].fd == -1 && fds[1].fd == -1)
			break;
	}
	hear(g);
	while (waitpid(worker, &status, 0) == -1)
		if (errno != EINTR) {
			/* Nobody knows whether the work is done. */
			status = W_EXITCODE(2, 0);
			break;
		}
	if (WIFSIGNALED(status))
		wait_for_all(g->wait_s);
	sweep_all(g);
	if (fds[0].fd != -1)
		close(fds[0].fd);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static void
become_worker(
    struct guard *g, int (*work)(struct guard *, void *), void *context)
{
	int code;

	g->worker = true;
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	code = work(g, context);
	/*
	 * The worker removes the registered paths itself, because the guard may
	 * have been killed.
	 */
	sweep_all(g);
	/* A stopped guard would remain forever. */
	if (getppid() == g->pid)
		kill(g->pid, SIGCONT);
	exit(code);
}

/*
 * Finds the signals that the guard passes on. One that was ignored from the
 * start stays so, as nohup(1) and shells without job control want it.
 */
static void
find_passed(sigset_t *passed)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction old;

	sigemptyset(passed);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], NULL, &old) == -1 ||
		    old.sa_handler != SIG_IGN)
			sigaddset(passed, signals[i]);
}

int
guard_run(int (*work)(struct guard *, void *), void *context)
{
	struct guard g = { .pid = getpid() };
	int pair[2], signals, status;
	sigset_t passed, before;
	pid_t worker;

	find_passed(&passed);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) == -1 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == -1)
		return -1;
	sigprocmask(SIG_BLOCK, &passed, &before);
	signals = signalfd(-1, &passed, SFD_CLOEXEC | SFD_NONBLOCK);
	fflush(NULL);
	if (signals == -1 || (worker = fork()) == -1)
		return -1;
	g.fd = pair[worker == 0];
	close(pair[worker != 0]);
	if (worker == 0) {
		close(signals);
		sigprocmask(SIG_SETMASK, &before, NULL);
		become_worker(&g, work, context);
	}
	status = watch(&g, worker, signals);
	close(signals);
	close(g.fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

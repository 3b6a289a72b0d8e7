/* Start of an agent: sets up its process and sends hello. */

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "job/agent_begin.h"
#include "job/agent_io.h"

#define SILENCE_S 60.0 /* timeout until `open` gives another */

/* Returns the number of processors that this process may use. */
static uint64_t
processors(void)
{
	cpu_set_t set;
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return (uint64_t)CPU_COUNT(&set);
	return n > 0 ? (uint64_t)n : 1;
}

static int
say_hello(struct agent *a, struct hp_err *e)
{
	char version[] = HP_VERSION, address[64] = "";
	struct message m = { .type = MESSAGE_HELLO,
		.version = version,
		.address = address,
		.processors = processors() };
	const char *from = a->c->launcher != NULL ? a->c->launcher
						  : getenv("SSH_CONNECTION");
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	if (from != NULL && strcspn(from, " ") < sizeof address)
		memcpy(address, from, strcspn(from, " "));
	if (pages > 0 && page > 0)
		m.memory = (uint64_t)pages * (uint64_t)page;
	return agent_send(a, &m, e);
}

/*
 * Duplicates a descriptor to a number above those of standard input, output and
 * error.
 */
static int
own(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int
set_signals(struct agent *a, struct hp_err *e)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_SETMASK, &set, NULL);
	a->signal.fd = a->signals = signalfd(-1, &set, SFD_CLOEXEC);
	return a->signals == -1 ? hp_fail_errno(e, HP_IO, "agent: signals") : 0;
}

/*
 * Sets PATH and the C locale, because steps run the programs of hptools and
 * compare keys by bytes.
 */
static int
set_environment(const char *home, struct hp_err *e)
{
	const char *path = getenv("PATH");
	char *all = NULL;
	int rc = setenv("LC_ALL", "C", 1);

	if (rc == 0 && home != NULL && home[0] != '\0') {
		rc = asprintf(&all, "%s%s%s", home, path == NULL ? "" : ":",
		    path == NULL ? "" : path);
		if (rc != -1)
			rc = setenv("PATH", all, 1);
	}
	free(all);
	return rc == -1 ? hp_fail(e, HP_NOMEM, "agent") : 0;
}

int
agent_begin(struct agent *a, const struct agent_config *c, struct hp_err *e)
{
	*a = (struct agent){ .c = c, .timeout_s = SILENCE_S, .epoll = -1 };
	a->in.fd = a->out.fd = a->guard.fd = a->signals = a->signal.fd = -1;
	a->login.fd = a->login_out = -1;
	a->out.kind = SOURCE_OUT;
	a->signal.kind = SOURCE_SIGNAL;
	a->guard.kind = SOURCE_GUARD;
	if (c->guard != NULL)
		a->guard.fd = guard_fd(c->guard);
	a->heard_s = a->told_s = a->counted_s = clock_now_s();
	/* Each node needs one descriptor, and each step needs several. */
	io_open_many();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	a->epoll = epoll_create1(EPOLL_CLOEXEC);
	a->in.fd = own(c->in);
	a->out.fd = own(c->out);
	if (a->epoll == -1 || a->in.fd == -1 || a->out.fd == -1)
		return hp_fail_errno(e, HP_IO, "agent");
	if (set_signals(a, e) == -1 || set_environment(c->home, e) == -1 ||
	    wire_init(&a->wire, WIRE_AGENT, a->in.fd, a->out.fd, "launcher",
		e) == -1 ||
	    agent_watch(a, &a->in, e) == -1 ||
	    agent_watch(a, &a->signal, e) == -1 ||
	    agent_watch(a, &a->guard, e) == -1)
		return -1;
	return say_hello(a, e);
}

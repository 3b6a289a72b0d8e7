#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "job/machine.h"

enum {
	/*
	 * maximum number of reads per turn of the loop, so that no login delays
	 * others
	 */
	READS_MOST = 16
};

static void
no_login(struct machine *m)
{
	m->login = (struct login_process){ .pid = -1, .wire = -1, .said = -1 };
	m->login_wire = -1;
	m->wire = (struct wire){ .in = -1, .out = -1 };
	m->events = 0;
}

void
machine_init(struct machine *m)
{
	*m = (struct machine){ .name = "launcher" };
	no_login(m);
}

void
machine_close(struct machine *m)
{
	wire_fini(&m->wire);
	if (m->login_wire != -1) { /* login.wire belongs to the dial */
		close(m->login_wire);
		m->login_wire = -1;
	} else if (m->login.wire != -1) {
		close(m->login.wire);
	}
	machine_hang_up(m);
	m->login.wire = -1;
	m->events = 0;
}

void
machine_hang_up(struct machine *m)
{
	dial_free(m->dial);
	m->dial = NULL;
}

void
machine_go_direct(struct machine *m)
{
	wire_fini(&m->wire);
	m->wire = m->dial->wire;
	m->dial->wire = (struct wire){ 0 };
	m->login_wire = m->login.wire;
	m->login.wire = m->dial->channel.fd;
	m->events = 0;
}

static void
close_said(struct machine *m)
{
	if (m->login.said != -1)
		close(m->login.said);
	m->login.said = -1;
}

void
machine_kill(struct machine *m)
{
	machine_close(m);
	close_said(m);
	if (m->login.pid == -1)
		return;
	/*
	 * The login leads its own process group (launch.h). Kill the whole
	 * group.
	 */
	kill(-m->login.pid, SIGKILL);
	kill(m->login.pid, SIGKILL);
	while (waitpid(m->login.pid, NULL, 0) == -1 && errno == EINTR)
		;
	m->login.pid = -1;
}

void
machine_fini(struct machine *m)
{
	machine_kill(m);
	chatter_fini(&m->chatter);
}

int
machine_login(
    struct machine *m, const struct launch_spec *spec, struct hp_err *e)
{
	no_login(m);
	if (m->method->start(spec, &m->login, e) == -1)
		return -1;
	return wire_init(
	    &m->wire, WIRE_LAUNCHER, m->login.wire, m->login.wire, m->name, e);
}

bool
machine_hear(struct machine *m,
    void (*show)(void *context, const char *line, size_t len), void *context)
{
	char buf[1024];
	ssize_t n;

	for (int k = 0; m->login.said != -1 && k < READS_MOST; k++) {
		n = read(m->login.said, buf, sizeof buf);
		if (n > 0) {
			chatter_feed(
			    &m->chatter, buf, (size_t)n, show, context);
		} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
			chatter_end(&m->chatter, show, context);
			close_said(m);
		} else {
			break;
		}
	}
	return m->login.said != -1;
}

bool
machine_ended(struct machine *m, int *code)
{
	int status;

	if (m->login.pid == -1 ||
	    waitpid(m->login.pid, &status, WNOHANG) != m->login.pid)
		return false;
	m->login.pid = -1;
	*code = WIFEXITED(status) ? WEXITSTATUS(status)
				  : 128 + WTERMSIG(status);
	return true;
}

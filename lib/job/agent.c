#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/agent_begin.h"
#include "job/agent_copy.h"
#include "job/agent_feed.h"
#include "job/agent_io.h"
#include "job/agent_listen.h"
#include "job/agent_open.h"
#include "job/agent_own.h"
#include "job/agent_run.h"
#include "job/agent_said.h"
#include "job/agent_step.h"
#include "job/agent_wrote.h"
#include "job/sweep.h"

enum {
	EVENTS = 64, /* epoll events per turn */
	READS = 16   /* reads from the connection per turn */
};

/*
 * An agent ends if the launcher is silent for this many seconds beyond the
 * timeout. The launcher gives up a silent agent earlier, at the timeout.
 */
#define GRACE_S 5.0

static int
stop_if_all_ended(struct agent *a, struct hp_err *e)
{
	struct message m = { .type = MESSAGE_STOPPED };

	if (!a->stopping || a->step != NULL)
		return 0;
	a->stopping = false;
	return agent_send(a, &m, e);
}

static int
hear_message(struct agent *a, struct message *m, struct hp_err *e)
{
	switch (m->type) {
	case MESSAGE_LISTEN:
		return listen_begin(a, m, e);
	case MESSAGE_OPEN:
		if (a->has_opened)
			return hp_fail(e, HP_INPUT,
			    "agent: the launcher sent 'open' twice");
		listen_end(a);
		return agent_open(a, m, e);
	case MESSAGE_START:
		if (a->stopping)
			return hp_fail(e, HP_INPUT,
			    "agent: the launcher sent 'start' before it got "
			    "'stopped'");
		return step_start(a, m, e);
	case MESSAGE_CANCEL:
		return step_cancel(a, m->id, e);
	case MESSAGE_STOP:
		a->stopping = true;
		step_stop_all(a);
		return 0;
	case MESSAGE_END:
		a->drop = m->drop;
		a->over = true;
		return 0;
	default:
		return 0; /* a beat needs no answer */
	}
}

static int
hear_event(struct agent *a, struct wire_event *event, struct hp_err *e)
{
	int rc;

	if (event->kind == WIRE_BYTES)
		return step_data(a, event->stream, event->bytes, event->len, e);
	rc = hear_message(a, &event->message, e);
	message_fini(&event->message);
	return rc;
}

static int
hear(struct agent *a, struct hp_err *e)
{
	struct wire_event event;
	int got = 1, rc = 0;

	for (int i = 0; i < READS && got == 1 && !a->over; i++) {
		if ((got = wire_read(&a->wire, e)) == -1)
			return -1;
		if (got == 1)
			a->heard_s = clock_now_s();
		/*
		 * Hundreds of steps may begin here, and each start of a command
		 * takes time. So tell the launcher meanwhile that the agent is
		 * alive.
		 */
		while (!a->over && (rc = wire_next(&a->wire, &event, e)) == 1)
			if (hear_event(a, &event, e) == -1 ||
			    agent_pulse(a, e) == -1)
				return -1;
		if (rc == -1)
			return -1;
	}
	return 0;
}

static int
hear_caller(struct agent *a, struct agent_source *s, struct hp_err *e)
{
	int rc = listen_hear(a, s, e);

	return rc == 1 ? hear(a, e) : rc;
}

static int
handle(struct agent *a, struct agent_source *s, struct hp_err *e)
{
	struct signalfd_siginfo info;
	struct hp_err why = { 0 };

	if (s->step != NULL && s->step->done)
		return 0;
	switch (s->kind) {
	case SOURCE_IN:
		/*
		 * TLS sometimes must read before it can write. So after input
		 * has arrived, try to write again.
		 */
		a->blocked = false;
		return hear(a, e);
	case SOURCE_OUT:
		a->blocked = false;
		return agent_flush(a, e);
	case SOURCE_LOGIN:
		a->over = !listen_login(a);
		return 0;
	case SOURCE_PORT:
		return listen_accept(a, e);
	case SOURCE_CALLER:
		return hear_caller(a, s, e);
	case SOURCE_SIGNAL:
		if (read(s->fd, &info, sizeof info) == sizeof info)
			a->over = true;
		return 0;
	case SOURCE_GUARD:
		if (guard_signal(a->c->guard) != 0)
			a->over = true;
		return 0;
	case SOURCE_ENDED:
		return step_go_on(
		    a, s->step, run_ended(a, s->step, &why), &why, e);
	case SOURCE_SAID:
		return said_read(a, s->step, e);
	case SOURCE_PUT:
		return run_put(a, s->step, e);
	case SOURCE_FEED:
		return feed_push(a, s->step, e);
	}
	return 0;
}

/*
 * Reaps processes that commands have started and left behind. When their
 * parents end, such processes become children of the agent, which is their
 * subreaper.
 */
static void
reap_orphans(struct agent *a)
{
	siginfo_t info = { 0 };
	struct agent_step *s;

	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid != 0) {
		for (s = a->step; s != NULL; s = s->next)
			if (s->child.pid == info.si_pid)
				return; /* reaped when its pidfd becomes
					   readable */
		waitpid(info.si_pid, NULL, 0);
		info.si_pid = 0;
	}
}

/*
 * Sends the next bytes of files to the launcher. *busy is set if more can be
 * sent at once.
 */
static int
pump_all(struct agent *a, bool *busy, struct hp_err *e)
{
	struct hp_err why = { 0 };

	*busy = false;
	for (struct agent_step *s = a->step; s != NULL; s = s->next) {
		if (a->full || s->done || s->source == -1)
			continue;
		if (step_go_on(a, s, copy_pump(a, s, &why), &why, e) == -1 ||
		    agent_flush(a, e) == -1)
			return -1;
		*busy = *busy || (s->source != -1 && !a->full);
	}
	return 0;
}

static int
turn(struct agent *a, bool *busy, struct hp_err *e)
{
	struct epoll_event event[EVENTS];
	double wait_s = a->told_s + agent_beat_every(a) - clock_now_s();
	int ms = *busy || wait_s < 0 ? 0 : (int)ceil(wait_s * 1e3);
	int n = epoll_wait(a->epoll, event, EVENTS, ms);

	if (n == -1 && errno != EINTR)
		return hp_fail_errno(e, HP_IO, "agent: epoll");
	for (int i = 0; i < n && !a->over; i++)
		if (handle(a, event[i].data.ptr, e) == -1)
			return -1;
	if (!a->over && wire_ahead(&a->wire) && hear(a, e) == -1)
		return -1;
	if (pump_all(a, busy, e) == -1)
		return -1;
	*busy = *busy || wire_ahead(&a->wire);
	step_sweep(a);
	reap_orphans(a);
	if (a->over)
		return 0;
	/*
	 * The agent has read all waiting data before this check. So if the
	 * agent itself was stopped for a while, that time does not count as
	 * silence of the launcher.
	 */
	if (clock_now_s() - a->heard_s > a->timeout_s + GRACE_S)
		return hp_fail(e, HP_LOST, "agent: the launcher is silent");
	if (stop_if_all_ended(a, e) == -1 || wrote_tell(a, e) == -1 ||
	    agent_pulse(a, e) == -1)
		return -1;
	return agent_flush(a, e);
}

static void
close_all(struct agent *a)
{
	int fds[] = { a->epoll, a->signals, a->in.fd, a->out.fd, a->login.fd,
		a->login_out };

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] != -1)
			close(fds[i]);
}

/*
 * Kills all steps, removes the directories that are not kept, and then closes
 * the connection.
 */
static void
agent_fini(struct agent *a)
{
	step_stop_all(a);
	sweep_descendants();
	agent_close(a);
	for (struct agent_step *s = a->step; s != NULL; s = s->next)
		s->done = true;
	step_sweep(a);
	wire_fini(&a->wire);
	listen_fini(a);
	close_all(a);
}

int
agent_serve(const struct agent_config *c, struct hp_err *e)
{
	struct agent a;
	bool busy = false;
	int rc = agent_begin(&a, c, e);

	if (rc == 0)
		rc = agent_flush(&a, e);
	while (rc == 0 && !a.over)
		rc = turn(&a, &busy, e);
	agent_fini(&a);
	/*
	 * The launcher may close the connection without sending `end`. That is
	 * no error of the agent.
	 */
	return rc == -1 && e->kind == HP_LOST ? 0 : rc;
}

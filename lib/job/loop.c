#include <sys/epoll.h>
#include <sys/socket.h>

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/loop.h"

#define TICK_S 0.25
/*
 * From one reading to the next, the loop's clock advances by at most this many
 * seconds, plus TICK_S if the loop has waited for events in between. If more
 * time has passed, this process was stopped or a handler was slow. The excess
 * does not count as silence of the machines.
 */
#define STANDS_S 0.5

enum {
	EVENTS = 64,
	READS_MOST = 8 /* reads per machine and turn, for fairness */
};

/*
 * The data of an epoll event is a number times TAGS, plus one of these tags.
 * With TAG_WIRE and TAG_SAID, the number is the index of a machine, and the tag
 * tells which descriptor of this machine is ready. With TAG_OTHER, the number
 * is a descriptor that belongs to no machine.
 */
enum {
	TAG_WIRE,
	TAG_SAID,
	TAG_OTHER,
	TAGS
};

static uint64_t
tag(const struct loop *l, const struct machine *m, unsigned what)
{
	return (uint64_t)(m - l->machine) * TAGS + what;
}

int
loop_init(struct loop *l, struct machine *machine, size_t machines,
    double timeout_s, const struct loop_calls *calls, void *context,
    struct hp_err *e)
{
	*l = (struct loop){ .epoll = epoll_create1(EPOLL_CLOEXEC),
		.machine = machine,
		.machines = machines,
		.timeout_s = timeout_s,
		.beat_s = timeout_s / 8,
		.calls = calls,
		.context = context };
	l->now_s = l->turned_s = l->ticked_s = clock_now_s();
	if (l->epoll == -1)
		return hp_fail_errno(e, HP_IO, "event loop");
	return 0;
}

void
loop_fini(struct loop *l)
{
	if (l->epoll > 0)
		close(l->epoll);
	l->epoll = -1;
}

/* Updates the epoll events of the machine's connection. */
static void
watch_wire(struct loop *l, struct machine *m)
{
	struct epoll_event ev = { .data.u64 = tag(l, m, TAG_WIRE) };
	uint32_t events = m->paused ? 0 : (uint32_t)EPOLLIN;

	if (!machine_connected(m))
		return;
	/*
	 * The connection of a machine that is held back (pace.h) has room all
	 * the time. Do not wait for room there, or the loop would never sleep.
	 */
	if (wire_queued(&m->wire) > 0 || (m->sending != NULL && !m->pace.held))
		events |= (uint32_t)EPOLLOUT;
	if (events == m->events)
		return;
	ev.events = events;
	/*
	 * If no events are wanted, remove the connection from epoll. Otherwise
	 * epoll would report the end of the connection again and again.
	 */
	epoll_ctl(l->epoll,
	    events == 0		 ? EPOLL_CTL_DEL
		: m->events == 0 ? EPOLL_CTL_ADD
				 : EPOLL_CTL_MOD,
	    m->login.wire, &ev);
	m->events = events;
}

int
loop_watch(struct loop *l, struct machine *m, struct hp_err *e)
{
	struct epoll_event ev = { .events = EPOLLIN,
		.data.u64 = tag(l, m, TAG_SAID) };

	m->heard_s = m->beat_s = l->now_s;
	loop_push(l, m);
	if (m->events == 0)
		return hp_fail_errno(e, HP_IO, "event loop");
	if (m->login.said != -1 &&
	    epoll_ctl(l->epoll, EPOLL_CTL_ADD, m->login.said, &ev) == -1)
		return hp_fail_errno(e, HP_IO, "event loop");
	return 0;
}

int
loop_watch_other(struct loop *l, int fd, bool write, struct hp_err *e)
{
	struct epoll_event ev = { .events = (uint32_t)(write ? EPOLLOUT
							     : EPOLLIN),
		.data.u64 = (uint64_t)fd * TAGS + TAG_OTHER };

	if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &ev) == -1 &&
	    errno != EEXIST)
		return hp_fail_errno(e, HP_IO, "event loop");
	return 0;
}

void
loop_forget_other(struct loop *l, int fd)
{
	epoll_ctl(l->epoll, EPOLL_CTL_DEL, fd, NULL);
}

void
loop_push(struct loop *l, struct machine *m)
{
	struct hp_err e;

	if (!machine_connected(m))
		return;
	/*
	 * Writing has failed, so the connection is broken. Shut it down, but do
	 * not close it: wire_read then still returns data that have already
	 * arrived, and after these data reports the end.
	 */
	if (wire_queued(&m->wire) > 0 && wire_flush(&m->wire, &e) == -1) {
		m->wire.queue.pos = m->wire.queue.len;
		shutdown(m->login.wire, SHUT_RDWR);
	}
	/*
	 * Processes that the login has started may wait for input from this
	 * socket. Shut down its sending side, so that they see the end of their
	 * input.
	 */
	if (m->state == MACHINE_ENDING && wire_queued(&m->wire) == 0)
		shutdown(m->login.wire, SHUT_WR);
	watch_wire(l, m);
}

/*
 * Passes the machine's events to the launcher until no event is left or the
 * machine is paused.
 */
static int
take_events(struct loop *l, struct machine *m, struct hp_err *e)
{
	struct wire_event event;
	int rc = 0;

	while (machine_connected(m) && !m->paused &&
	    (rc = wire_next(&m->wire, &event, e)) == 1) {
		rc = l->calls->event(l->context, m, &event, e);
		if (event.kind == WIRE_MESSAGE)
			message_fini(&event.message);
		if (rc == -1)
			break;
	}
	return rc;
}

/*
 * Lists the machine if its connection has received data that epoll does not
 * report. The next turn reads them.
 */
static void
note_ahead(struct loop *l, struct machine *m)
{
	if (m->ahead || m->paused || !machine_connected(m) ||
	    !wire_ahead(&m->wire))
		return;
	m->ahead = true;
	m->next_ahead = l->ahead;
	l->ahead = m;
}

static void
read_wire(struct loop *l, struct machine *m)
{
	struct hp_err why = { 0 };
	int rc = 1;

	for (int k = 0; k < READS_MOST && rc == 1; k++) {
		if (!machine_connected(m) || m->paused)
			return;
		rc = wire_read(&m->wire, &why);
		if (rc == 1) {
			m->heard_s = l->now_s;
			if (take_events(l, m, &why) == -1)
				rc = -1;
		}
	}
	if (rc == -1 && machine_connected(m))
		l->calls->broke(l->context, m, &why);
	note_ahead(l, m);
}

void
loop_resume(struct loop *l, struct machine *m)
{
	struct hp_err why = { 0 };

	m->paused = false;
	m->heard_s = l->now_s;
	if (take_events(l, m, &why) == -1 && machine_connected(m))
		l->calls->broke(l->context, m, &why);
	else
		loop_push(l, m);
	note_ahead(l, m);
}

void
loop_go_direct(struct loop *l, struct machine *m)
{
	if (m->events != 0)
		epoll_ctl(l->epoll, EPOLL_CTL_DEL, m->login.wire, NULL);
	machine_go_direct(m);
	m->heard_s = l->now_s;
	loop_push(l, m);
	note_ahead(l, m);
}

static void
read_all_ahead(struct loop *l)
{
	struct machine *m = l->ahead, *next;

	l->ahead = NULL;
	for (; m != NULL; m = next) {
		next = m->next_ahead;
		m->ahead = false;
		if (!machine_connected(m))
			continue;
		read_wire(l, m);
		loop_push(l, m);
	}
}

static void
handle(struct loop *l, const struct epoll_event *ev)
{
	uint64_t place = ev->data.u64 / TAGS;
	struct machine *m;

	if (ev->data.u64 % TAGS == TAG_OTHER) {
		l->calls->other(l->context, (int)place);
		return;
	}
	m = &l->machine[place];
	if (ev->data.u64 % TAGS == TAG_SAID) {
		if (m->login.said != -1)
			l->calls->said(l->context, m);
		return;
	}
	if (!machine_connected(m))
		return;
	if (ev->events & (uint32_t)EPOLLOUT) {
		loop_push(l, m);
		if (wire_queued(&m->wire) == 0 && m->sending != NULL)
			l->calls->room(l->context, m);
	}
	if (ev->events & ~(uint32_t)EPOLLOUT)
		read_wire(l, m);
	loop_push(l, m);
}

static void
beat(struct loop *l, struct machine *m)
{
	struct message message = { .type = MESSAGE_BEAT };
	struct hp_err e;

	m->beat_s = l->now_s;
	/*
	 * A beat tells the agent that the launcher is alive. While other data
	 * is queued, no beat is needed.
	 */
	if (wire_queued(&m->wire) > 0 ||
	    wire_send(&m->wire, &message, &e) == -1)
		return;
	loop_push(l, m);
}

static void
look_at(struct loop *l, struct machine *m, bool all_heard)
{
	struct hp_err why = { .kind = HP_LOST, .text = "silent" };

	if (m->state < MACHINE_DIALING || !machine_connected(m))
		return;
	if (m->paused)
		m->heard_s = l->now_s;
	if (all_heard && l->now_s - m->heard_s > l->timeout_s) {
		m->hung = m->state == MACHINE_ENDING;
		l->calls->broke(l->context, m, &why);
	} else if (m->state != MACHINE_ENDING &&
	    l->now_s - m->beat_s >= l->beat_s)
		beat(l, m); /* no beat follows the message `end` */
}

/*
 * Advances the loop's clock, but by at most most_s seconds. If more time has
 * passed, a handler was slow or the process was stopped. Meanwhile the loop
 * could not read from machines, so this time must not count as their silence.
 */
static void
set_clock(struct loop *l, double most_s)
{
	double real_s = clock_now_s(), took_s = real_s - l->turned_s;

	if (took_s > most_s)
		l->stood_s += took_s - most_s;
	l->turned_s = real_s;
	l->now_s = real_s - l->stood_s;
}

int
loop_turn(struct loop *l, struct hp_err *e)
{
	struct epoll_event ev[EVENTS];
	double left_s;
	int n;

	set_clock(l, STANDS_S);
	read_all_ahead(l);
	left_s = l->ahead != NULL ? 0 : l->ticked_s + TICK_S - l->now_s;
	n = epoll_wait(
	    l->epoll, ev, EVENTS, left_s > 0 ? (int)(left_s * 1000) + 1 : 0);
	if (n == -1 && errno != EINTR)
		return hp_fail_errno(e, HP_IO, "event loop");
	set_clock(l, TICK_S + STANDS_S);
	for (int i = 0; i < n; i++)
		handle(l, &ev[i]);
	if (l->now_s - l->ticked_s < TICK_S)
		return 0;
	l->ticked_s = l->now_s;
	/*
	 * If n is EVENTS, more events may be pending, and data of a machine may
	 * be unread. Then do not decide yet that a machine is silent.
	 */
	for (size_t i = 0; i < l->machines; i++)
		look_at(l, &l->machine[i], n < EVENTS);
	l->calls->tick(l->context);
	return 0;
}

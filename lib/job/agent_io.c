/*
 * Watches the descriptors of the agent with epoll, and sends its messages to
 * the launcher.
 */

#include <sys/epoll.h>

#include "base/clock.h"
#include "job/agent_io.h"

#define BEATS 8	       /* beats sent in one timeout */
#define PROGRESS_S 1.0 /* seconds between reports of bytes written */

int
agent_watch(struct agent *a, struct agent_source *s, struct hp_err *e)
{
	bool writes = s->kind == SOURCE_OUT || s->kind == SOURCE_FEED;
	struct epoll_event event = { .events = writes ? EPOLLOUT : EPOLLIN,
		.data.ptr = s };

	if (s->fd == -1 || s->waits)
		return 0;
	if (epoll_ctl(a->epoll, EPOLL_CTL_ADD, s->fd, &event) == -1)
		return hp_fail_errno(e, HP_IO, "agent: epoll");
	s->waits = true;
	return 0;
}

void
agent_unwatch(struct agent *a, struct agent_source *s)
{
	if (s->waits)
		epoll_ctl(a->epoll, EPOLL_CTL_DEL, s->fd, NULL);
	s->waits = false;
}

int
agent_send(struct agent *a, const struct message *m, struct hp_err *e)
{
	return wire_send(&a->wire, m, e);
}

/*
 * Notes whether the queue to the launcher is full. While it is full, the agent
 * does not read the output of steps.
 */
static int
set_full(struct agent *a, bool full, struct hp_err *e)
{
	if (a->full == full)
		return 0;
	a->full = full;
	for (struct agent_step *s = a->step; s != NULL; s = s->next) {
		if (full) {
			agent_unwatch(a, &s->said);
			agent_unwatch(a, &s->put);
		} else if (agent_watch(a, &s->said, e) == -1 ||
		    agent_watch(a, &s->put, e) == -1)
			return -1;
	}
	return 0;
}

int
agent_flush(struct agent *a, struct hp_err *e)
{
	if (!a->blocked && wire_flush(&a->wire, e) == -1)
		return -1;
	a->blocked = wire_queued(&a->wire) > 0;
	/*
	 * If the agent reads and writes the same socket, `out` is a duplicate
	 * of the descriptor `in`, because epoll accepts each descriptor only
	 * once.
	 */
	if (wire_queued(&a->wire) == 0)
		agent_unwatch(a, &a->out);
	else if (agent_watch(a, &a->out, e) == -1)
		return -1;
	return set_full(a, wire_queued(&a->wire) > WIRE_FULL, e);
}

double
agent_beat_every(const struct agent *a)
{
	double s = a->timeout_s / BEATS;

	return a->progress && s > PROGRESS_S ? PROGRESS_S : s;
}

int
agent_pulse(struct agent *a, struct hp_err *e)
{
	struct message beat = { .type = MESSAGE_BEAT };
	double now_s = clock_now_s();

	if (now_s - a->told_s < agent_beat_every(a))
		return 0;
	a->told_s = now_s;
	/*
	 * A beat tells the launcher that the agent is alive. While other data
	 * is queued, no beat is needed.
	 */
	if (wire_queued(&a->wire) == 0 && agent_send(a, &beat, e) == -1)
		return -1;
	return agent_flush(a, e);
}

#include <sys/stat.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/guard.h"
#include "job/launcher_call.h"
#include "job/launcher_data.h"
#include "job/launcher_dial.h"
#include "job/launcher_drop.h"
#include "job/launcher_ended.h"
#include "job/launcher_hear.h"
#include "job/launcher_login.h"
#include "job/launcher_tell.h"

#define TELL_S 1.0 /* seconds between calls of config.tick */

enum {
	/*
	 * maximum lines shown for a step; an agent passes on AGENT_LINES lines,
	 * and tells how many more it has dropped
	 */
	LINES_MOST = 10002
};

static void
on_room(void *context, struct machine *m)
{
	data_send(context, m);
}

/*
 * Returns the running step that has this ID on this machine, or NULL if there
 * is none.
 */
static struct task *
task_of(const struct launcher *l, const struct machine *m, uint64_t id)
{
	struct task *t;

	if (id < l->first_id || id - l->first_id >= l->ids)
		return NULL;
	t = l->by_id[id - l->first_id];
	return t->id == id && t->machine == m && t->state == TASK_RUNS ? t
								       : NULL;
}

static void
hear_wrote(struct launcher *l, struct task *t, uint64_t bytes)
{
	size_t i = t->step->rank == STEP_LAUNCHER ? l->c.nodes
						  : (size_t)t->step->rank;

	if (bytes > t->wrote) {
		l->wrote[i] += bytes - t->wrote;
		t->wrote = bytes;
	}
}

static int
hear_stopped(struct launcher *l, struct machine *m, struct hp_err *why)
{
	if (!m->stopping)
		return not_asked(m, why);
	m->stopping = false;
	l->stopping--;
	return 0;
}

static int
on_event(void *context, struct machine *m, struct wire_event *event,
    struct hp_err *why)
{
	struct launcher *l = context;
	const struct message *msg = &event->message;
	struct task *t;

	if (m->state == MACHINE_ENDING)
		return 0;
	if (m->state != MACHINE_READY)
		return login_hear(l, m, event, why);
	if (event->kind == WIRE_BYTES)
		return data_hear(l, m, event, why);
	if (event->kind == WIRE_PRINTED)
		return not_asked(m, why);
	if (msg->type == MESSAGE_BEAT)
		return 0;
	if (msg->type == MESSAGE_STOPPED)
		return hear_stopped(l, m, why);
	if (msg->type == MESSAGE_CREDIT)
		return data_credit(l, m, msg, why);
	if (msg->type != MESSAGE_SAID && msg->type != MESSAGE_WROTE &&
	    msg->type != MESSAGE_ENDED)
		return not_asked(m, why);
	t = task_of(l, m, msg->id);
	if (t == NULL)
		return not_asked(m, why);
	if (msg->type == MESSAGE_ENDED)
		return hear_ended(l, t, msg, why);
	if (msg->type == MESSAGE_WROTE)
		hear_wrote(l, t, msg->bytes);
	else if (!t->dropped && t->said++ < LINES_MOST)
		tell_line(l, t->step->rank, msg->text, strlen(msg->text));
	return 0;
}

/* Marks the machine as lost and its running steps as failed. */
static void
lose(struct launcher *l, struct machine *m)
{
	struct cause c = cause_of_loss(
	    m->nodes > 0 ? m->rank[0] : STEP_LAUNCHER);
	bool busy = false, named = false;

	for (size_t i = 0; i < l->tasks; i++) {
		if (l->task[i].machine != m)
			continue;
		busy = busy || l->task[i].state != TASK_DONE;
		if (l->task[i].state != TASK_RUNS)
			continue;
		l->task[i].state = TASK_FAILED;
		if (!named && l->task[i].step->rank != STEP_LAUNCHER) {
			c.rank = l->task[i].step->rank;
			named = true;
		}
		l->running--;
	}
	if (m->stopping)
		l->stopping--;
	m->stopping = false;
	m->lost = true;
	m->sending = NULL;
	l->nlost++;
	if (busy || l->stage == NULL || !l->stage->once)
		cause_hear(&l->cause, &c);
}

void
lose_machine(struct launcher *l, struct machine *m, const struct hp_err *why)
{
	login_said(l, m);
	if (why->kind == HP_INPUT)
		tell_note(l, "%s", why->text);
	else if (why->kind == HP_NOMEM)
		hear_fatal(l, why);
	m->state = MACHINE_GONE;
	machine_kill(m);
	if (!m->lost)
		lose(l, m);
}

/*
 * Returns whether the machine runs steps, although other machines are not ready
 * yet (config.meanwhile).
 */
static bool
runs_stage(const struct launcher *l, const struct machine *m)
{
	return l->stage != NULL && m == &l->machine[0];
}

static void
on_broke(void *context, struct machine *m, const struct hp_err *why)
{
	struct launcher *l = context;

	if (m->state == MACHINE_READY && l->facts != NULL &&
	    !runs_stage(l, m)) {
		login_undone(l, m, why);
	} else if (m->state == MACHINE_READY) {
		lose_machine(l, m, why);
	} else if (m->state == MACHINE_ENDING) {
		login_said(l, m);
		machine_close(m);
		m->state = MACHINE_GONE;
		l->leaving--;
	} else {
		login_broke(l, m, why);
	}
}

static void
on_said(void *context, struct machine *m)
{
	login_said(context, m);
}

bool
work_is_gone(struct launcher *l)
{
	struct stat st;

	if (stat(l->c.work, &st) == -1 || st.st_dev != l->work_device ||
	    st.st_ino != l->work_inode)
		l->gone = true;
	return l->gone;
}

/* Loses the machines that do not end the steps that were dropped. */
static void
end_dropped(struct launcher *l)
{
	struct hp_err why = { 0 };
	struct machine *m;

	while ((m = tasks_overdue(l)) != NULL) {
		hp_fail(&why, HP_INPUT,
		    "%s: does not end a step that was cancelled", m->name);
		lose_machine(l, m, &why);
	}
}

static void
on_tick(void *context)
{
	struct launcher *l = context;

	work_is_gone(l);
	login_tick(l);
	data_tick(l);
	if (l->running > 0 && !l->ending)
		end_dropped(l);
	if (l->running > 0 && l->stage->grow != NULL && !l->ending &&
	    l->cause.kind == CAUSE_NONE)
		hear_growth(l, STAGE_TICK);
	if (l->c.tick == NULL || l->stage == NULL || l->stage->n == 0 ||
	    l->loop.now_s - l->told_s < TELL_S)
		return;
	l->told_s = l->loop.now_s;
	l->c.tick(l->c.context, l->stage->step[0]->name, l->wrote);
}

static void
on_other(void *context, int fd)
{
	struct launcher *l = context;
	int signal;

	if (fd == STDOUT_FILENO) {
		data_go_on(l);
		return;
	}
	if (calls_hear(l, fd) || dials_hear(l, fd))
		return;
	/*
	 * If the descriptor is not that of the guard, an earlier event of this
	 * turn has closed the descriptor. Then ignore this event.
	 */
	if (l->c.guard == NULL || fd != guard_fd(l->c.guard))
		return;
	signal = guard_signal(l->c.guard);
	if (signal == -1) {
		/*
		 * The guard was killed. End the run as if SIGTERM had been
		 * received.
		 */
		loop_forget_other(&l->loop, fd);
		signal = SIGTERM;
	}
	if (l->signal == 0)
		l->signal = signal;
	l->signals += signal != 0;
}

const struct loop_calls launcher_calls = { .event = on_event,
	.room = on_room,
	.broke = on_broke,
	.said = on_said,
	.tick = on_tick,
	.other = on_other };

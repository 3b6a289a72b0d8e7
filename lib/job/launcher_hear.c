#include <sys/stat.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/guard.h"
#include "job/launcher_own.h"

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
 * Returns whether the agent has ended all streams of the step and reported all
 * its sizes.
 */
static bool
is_complete(
    const struct launcher *l, const struct task *t, const struct message *m)
{
	const struct stream *s;
	size_t sizes = 0;

	for (uint32_t i = 0; i < t->streams; i++) {
		s = streams_find(&l->streams, t->stream + i);
		if (!s->sends && !s->ended)
			return false;
	}
	for (size_t i = 0; i < t->step->nactions; i++)
		sizes += t->step->action[i].kind == ACT_SIZE;
	return m->nsizes == sizes && m->failed == t->step->nactions;
}

/*
 * Returns whether a stream of the step was cut off, so that data are missing.
 */
static bool
is_cut(const struct launcher *l, const struct task *t)
{
	for (uint32_t i = 0; i < t->streams; i++)
		if (streams_find(&l->streams, t->stream + i)->dead)
			return true;
	return false;
}

/*
 * Lets the stage grow and starts the new steps. If the stage has failed, the
 * new steps wait until the stage is retried.
 */
static void
grow(struct launcher *l, size_t index)
{
	bool fails = l->ending || l->cause.kind != CAUSE_NONE;
	size_t before = l->tasks;
	struct hp_err e;

	if (l->growth.kind != HP_NONE || tasks_grow(l, index, &l->growth) == -1)
		return;
	if (!fails && tasks_start(l, before, &e) == -1)
		hear_fatal(l, &e);
}

static void
ended_well(struct launcher *l, struct task *t, const struct message *m)
{
	size_t n = 0;

	t->state = TASK_DONE;
	l->done++;
	t->step->answer = (int)m->code;
	t->step->end_s = clock_wall_s();
	/*
	 * If a command has answered no (exit status 1), the step may report
	 * fewer sizes than it has SIZE actions.
	 */
	for (size_t i = 0; i < t->step->nactions && n < m->nsizes; i++)
		if (t->step->action[i].kind == ACT_SIZE)
			t->step->action[i].size = m->size[n++];
	note_step(l, t);
	grow(l, t->index);
}

/*
 * Returns whether the step failed because of a user's command, and not because
 * of the node or the node's files.
 */
static bool
command_failed(const struct task *t, const struct message *m)
{
	return t->step->foreign && m->code != 0 && m->signal == 0 &&
	    m->failed < t->step->nactions &&
	    t->step->action[m->failed].kind == ACT_RUN;
}

static int
hear_ended(struct launcher *l, struct task *t, const struct message *m,
    struct hp_err *why)
{
	struct cause c = cause_of_step(
	    t->step->rank, t->step->name, t->step->asks, m->code, m->signal);
	char text[MESSAGE_LINE];
	struct hp_err e;

	data_stop(l, t);
	if (command_failed(t, m))
		c = cause_of_command(t->step->rank, t->step->name, m->code);
	/* An action that runs no command may fail although `code` is 0. */
	if (m->code == 0 && m->signal == 0 && m->failed < t->step->nactions)
		c = cause_of_step(
		    t->step->rank, t->step->name, false, CAUSE_CANNOT, 0);
	if (c.kind == CAUSE_NONE && is_cut(l, t)) {
		/*
		 * The step succeeded, but its data are incomplete: another step
		 * has failed, so the stage is being stopped.
		 */
		t->state = TASK_FAILED;
		l->running--;
		return 0;
	}
	if (c.kind == CAUSE_NONE && m->code == 0 && !is_complete(l, t, m))
		return not_asked(t->machine, why);
	l->running--;
	if (c.kind == CAUSE_NONE) {
		ended_well(l, t, m);
		return 0;
	}
	t->state = TASK_FAILED;
	if (l->ending || !retry_step(&c, t->restarts)) {
		cause_hear(&l->cause, &c);
		return 0;
	}
	t->restarts--;
	cause_text(&c, node_name(l, c.rank), text, sizeof text);
	tell_note(l, "%s; restarted", text);
	if (start_task(l, t, &e) == -1)
		hear_fatal(l, &e);
	data_send(l, t->machine);
	return 0;
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
	else if (t->said++ < LINES_MOST)
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

static void
on_broke(void *context, struct machine *m, const struct hp_err *why)
{
	struct launcher *l = context;

	if (m->state == MACHINE_READY && l->facts != NULL) {
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

static void
on_tick(void *context)
{
	struct launcher *l = context;

	work_is_gone(l);
	login_tick(l);
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
	if (calls_hear(l, fd))
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
}

const struct loop_calls launcher_calls = { .event = on_event,
	.room = on_room,
	.broke = on_broke,
	.said = on_said,
	.tick = on_tick,
	.other = on_other };

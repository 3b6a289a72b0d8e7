#include "base/clock.h"
#include "job/launcher_data.h"
#include "job/launcher_ended.h"
#include "job/launcher_note.h"
#include "job/launcher_start.h"
#include "job/launcher_tell.h"

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

void
hear_growth(struct launcher *l, size_t index)
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
	 * A step ends early if its command exits with status 1 (the answer no).
	 * So it may report fewer sizes than it has SIZE actions.
	 */
	for (size_t i = 0; i < t->step->nactions && n < m->nsizes; i++)
		if (t->step->action[i].kind == ACT_SIZE)
			t->step->action[i].size = m->size[n++];
	note_step(l, t);
	hear_growth(l, t->index);
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

int
hear_ended(struct launcher *l, struct task *t, const struct message *m,
    struct hp_err *why)
{
	struct cause c = cause_of_step(
	    t->step->rank, t->step->name, t->step->asks, m->code, m->signal);
	char text[MESSAGE_LINE];
	struct hp_err e;

	data_stop(l, t);
	if (t->dropped) {
		t->state = TASK_DONE;
		l->running--;
		l->done++;
		return 0;
	}
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

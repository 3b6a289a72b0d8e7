#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/launcher_data.h"
#include "job/launcher_note.h"
#include "job/launcher_tell.h"

enum {
	SENDS_MOST = 8 /* consecutive chunks to one machine */
};

/* Fails a step because the launcher cannot read or write its file. */
static void
fail_task(struct launcher *l, struct stream *s, const struct hp_err *e)
{
	struct task *t = &l->task[s->task];
	int signal = s->standard && e->errnum == EPIPE ? SIGPIPE : 0;
	const char *moving = s->sends ? t->step->sending
	    : s->part		      ? t->step->returning
				      : NULL;
	const char *name = moving != NULL ? moving : t->step->name;
	struct cause c = cause_of_step(
	    t->step->rank, name, false, CAUSE_CANNOT, (uint64_t)signal);

	if (e->kind == HP_NOMEM) {
		hear_fatal(l, e);
	} else if (signal == 0) {
		tell_note(l, "%s%s%s", e->text, e->errnum != 0 ? ": " : "",
		    e->errnum != 0 ? strerror(e->errnum) : "");
	}
	/*
	 * If the reader of standard output has ended, that is the cause of the
	 * failure, and not an effect of another failure.
	 */
	if (signal != 0)
		c.kind = CAUSE_OWN;
	s->dead = true;
	cause_hear(&l->cause, &c);
}

void
data_send(struct launcher *l, struct machine *m)
{
	struct stream *s = NULL;
	struct hp_err e = { 0 };

	for (int k = 0; k < SENDS_MOST && m->sending != NULL; k++) {
		if (streams_send(&l->streams, m, &s, &e) == -1) {
			/*
			 * The failed stream would be sent again and fail again.
			 * So stop sending all streams to this machine.
			 */
			m->sending = NULL;
			fail_task(l, s, &e);
			return;
		}
		if (s != NULL && s->ended)
			note_sent(l, &l->task[s->task]);
		loop_push(&l->loop, m);
		if (wire_queued(&m->wire) > 0)
			return;
	}
}

int
data_hear(struct launcher *l, struct machine *m, struct wire_event *event,
    struct hp_err *why)
{
	struct stream *s = streams_find(&l->streams, event->stream);
	struct hp_err e = { 0 };
	int rc;

	if (s == NULL || s->machine != m)
		return not_asked(m, why);
	if (s->part && !s->dead && l->task[s->task].back_s == 0)
		l->task[s->task].back_s = clock_wall_s();
	rc = stream_take(&l->streams, s, event->bytes, event->len, &e);
	if (rc == -1 && e.kind == HP_INPUT)
		return hp_fail(why, HP_INPUT, "%s: %s", m->name, e.text);
	if (rc == -1) {
		fail_task(l, s, &e);
	} else if (rc == 1) {
		m->paused = true;
		if (l->streams.waiting == 1 &&
		    loop_watch_other(&l->loop, STDOUT_FILENO, true, &e) == -1)
			hear_fatal(l, &e);
	}
	return 0;
}

/* Sends to the machines that need not wait for slower ones any more. */
static void
go_on(struct launcher *l)
{
	struct machine *m;

	while ((m = paces_next(&l->streams.paces)) != NULL)
		data_send(l, m);
}

void
data_tick(struct launcher *l)
{
	paces_tick(&l->streams.paces);
	go_on(l);
}

int
data_credit(struct launcher *l, struct machine *m, const struct message *msg,
    struct hp_err *why)
{
	struct stream *s = streams_find(&l->streams, msg->stream);
	struct hp_err e = { 0 };

	if (s == NULL || s->machine != m)
		return not_asked(m, why);
	if (stream_credit(&l->streams, s, msg->bytes, &e) == -1)
		return hp_fail(why, HP_INPUT, "%s: %s", m->name, e.text);
	if (s->ended && s->open == 0)
		note_taken(&l->task[s->task]);
	data_send(l, m);
	go_on(l);
	return 0;
}

void
data_stop(struct launcher *l, const struct task *t)
{
	for (uint32_t i = 0; i < t->streams; i++)
		stream_stop(
		    &l->streams, streams_find(&l->streams, t->stream + i));
	/*
	 * Perhaps the launcher held back the machine because of this step
	 * (pace.h), and does not hold it back any more. So let the loop wait
	 * again for room in the machine's connection.
	 */
	loop_push(&l->loop, t->machine);
	go_on(l);
}

void
data_drop(struct launcher *l, const struct task *t)
{
	for (uint32_t i = 0; i < t->streams; i++)
		stream_drop(
		    &l->streams, streams_find(&l->streams, t->stream + i));
	data_stop(l, t);
}

void
data_go_on(struct launcher *l)
{
	struct hp_err e = { 0 };
	struct stream *s;
	int rc;

	for (size_t i = 0; i < l->streams.n && l->streams.waiting > 0; i++) {
		s = l->streams.v[i];
		if (s->waits == NULL)
			continue;
		rc = stream_go_on(&l->streams, s, &e);
		if (rc == 1)
			return;
		if (rc == -1)
			fail_task(l, s, &e);
		loop_resume(&l->loop, s->machine);
	}
	if (l->streams.waiting == 0)
		loop_forget_other(&l->loop, STDOUT_FILENO);
}

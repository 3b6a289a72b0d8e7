#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "job/launcher_data.h"
#include "job/launcher_drop.h"
#include "job/launcher_start.h"

/* A message `start` while it is assembled. */
struct draft {
	struct launcher *l;
	struct task *task;
	struct message message;
	char **path; /* absolute file names that it owns */
	size_t paths, cap;
};

static void
draft_fini(struct draft *d)
{
	for (size_t i = 0; i < d->paths; i++)
		free(d->path[i]);
	free(d->path);
	free(d->message.action);
}

/*
 * Makes the name of a launcher's file absolute, because the agent of this
 * machine has another working directory.
 */
static int
path_of(struct draft *d, const char *file, char **out, struct hp_err *e)
{
	if (ARRAY_ROOM(d->path, d->paths, d->cap) == -1)
		return hp_fail(e, HP_NOMEM, "out of memory");
	if ((file[0] == '/' ? asprintf(out, "%s", file)
			    : asprintf(out, "%s/%s", d->l->c.work, file)) == -1)
		return hp_fail(e, HP_NOMEM, "out of memory");
	d->path[d->paths++] = *out;
	return 0;
}

static int
add_stream(struct draft *d, const struct stream *proto, uint64_t *number,
    struct hp_err *e)
{
	struct stream s = *proto, *own;

	s.machine = d->task->machine;
	s.task = d->task->index;
	own = streams_add(&d->l->streams, &s, e);
	if (own == NULL)
		return -1;
	if (d->task->streams++ == 0)
		d->task->stream = own->number;
	*number = own->number;
	return 0;
}

/* Sets the source of a command's input. */
static int
set_in(struct draft *d, const struct port *p, struct message_action *a,
    struct hp_err *e)
{
	struct stream s = {
		.sends = true, .left = UINT64_MAX, .limited = true
	};

	switch (p->kind) {
	case PORT_NONE:
		a->in_kind = borrow("none");
		return 0;
	case PORT_NODE:
		a->in_kind = borrow("node");
		a->in = borrow(p->file);
		return 0;
	case PORT_FILE:
		if (p->part && d->task->machine->host == NULL)
			return hp_fail(e, HP_USAGE,
			    "%s: a part of a file is an input only of hosts",
			    d->task->step->name);
		if (d->task->machine->host == NULL) {
			a->in_kind = borrow("path");
			return path_of(d, p->file, &a->in, e);
		}
		a->in_kind = borrow("stream");
		s.file = p->file;
		if (p->part) {
			s.at = p->offset;
			s.left = p->bytes;
			s.tap = p->tap;
			s.paced = p->paced;
		}
		return add_stream(d, &s, &a->in_stream, e);
	case PORT_STANDARD:
		break;
	}
	if (d->task->machine->host != NULL)
		return hp_fail(e, HP_USAGE,
		    "%s: standard input is for steps of this machine",
		    d->task->step->name);
	a->in_kind = borrow("standard");
	return 0;
}

/* Sets the target of a command's output, or of the data of a GET action. */
static int
set_out(struct draft *d, const struct port *p, struct stream s,
    struct message_action *a, struct hp_err *e)
{
	switch (p->kind) {
	case PORT_NONE:
		a->out_kind = borrow("none");
		return 0;
	case PORT_NODE:
		a->out_kind = borrow("node");
		a->out = borrow(p->file);
		a->append = p->append;
		return 0;
	case PORT_FILE:
	case PORT_STANDARD:
		break;
	}
	s.standard = p->kind == PORT_STANDARD;
	if (p->kind == PORT_FILE && s.left == UINT64_MAX &&
	    !d->task->step->foreign)
		s.most = d->l->c.document_most;
	if (p->part) {
		s.most = 0;
		s.at = p->offset;
		s.left = p->bytes;
		s.truncate = false;
		s.part = true;
		s.claimed = p->claimed;
	}
	/* Commands of this machine write files themselves, but not their parts.
	 */
	if (d->task->machine->host != NULL || p->part) {
		a->out_kind = borrow("stream");
		s.file = p->file;
		s.tap = p->tap;
		s.append = p->append;
		s.truncate = s.truncate && !p->append && !s.standard;
		return add_stream(d, &s, &a->out_stream, e);
	}
	a->append = p->append;
	if (s.standard) {
		a->out_kind = borrow("standard");
		return 0;
	}
	a->out_kind = borrow("path");
	a->at = s.at;
	return path_of(d, p->file, &a->out, e);
}

static int
set_put(struct draft *d, const struct action *from, struct message_action *a,
    struct hp_err *e)
{
	struct stream s = { .sends = true,
		.file = from->launcher.file,
		.at = from->offset,
		.left = from->bytes };

	a->bytes = from->bytes;
	a->node = borrow(from->node);
	if (d->task->machine->host != NULL) {
		a->in_kind = borrow("stream");
		return add_stream(d, &s, &a->in_stream, e);
	}
	a->in_kind = borrow("path");
	a->offset = from->offset;
	return path_of(d, from->launcher.file, &a->in, e);
}

static int
set_action(struct draft *d, const struct action *from, struct message_action *a,
    struct hp_err *e)
{
	static const char *const kinds[] = { [ACT_RUN] = "run",
		[ACT_PUT] = "put",
		[ACT_GET] = "get",
		[ACT_REMOVE] = "remove",
		[ACT_RENAME] = "rename",
		[ACT_FIFO] = "fifo",
		[ACT_SIZE] = "size",
		[ACT_SKIP_IF] = "skip" };
	/* Casts const away, like borrow. */
	union {
		const char **lent;
		char **borrowed;
	} words = { .lent = from->words };

	a->kind = borrow(kinds[from->kind]);
	a->words = words.borrowed;
	a->bytes = MESSAGE_TO_END;
	switch (from->kind) {
	case ACT_RUN:
		if (set_in(d, &from->in, a, e) == -1)
			return -1;
		return set_out(d, &from->out,
		    (struct stream){ .truncate = true, .left = UINT64_MAX }, a,
		    e);
	case ACT_PUT:
		return set_put(d, from, a, e);
	case ACT_GET:
		a->node = borrow(from->node);
		a->offset = from->offset;
		a->bytes = from->bytes;
		return set_out(d, &from->launcher,
		    (struct stream){ .at = from->at,
			.left = from->bytes,
			/*
			 * When a whole file is copied, remove what an earlier
			 * attempt has written.
			 */
			.truncate = from->at == 0 &&
			    from->bytes == ACTION_TO_END },
		    a, e);
	case ACT_SIZE:
		a->node = borrow(from->node);
		return 0;
	case ACT_REMOVE:
	case ACT_RENAME:
	case ACT_FIFO:
	case ACT_SKIP_IF:
		break;
	}
	return 0;
}

static int
give_id(struct launcher *l, struct task *t, struct hp_err *e)
{
	if (ARRAY_ROOM(l->by_id, l->ids, l->ids_cap) == -1)
		return hp_fail(e, HP_NOMEM, "out of memory");
	t->id = l->first_id + l->ids;
	l->by_id[l->ids++] = t;
	return 0;
}

int
start_task(struct launcher *l, struct task *t, struct hp_err *e)
{
	struct draft d = { .l = l, .task = t };
	struct message *m = &d.message;
	int rc;

	if (give_id(l, t, e) == -1)
		return -1;
	m->type = MESSAGE_START;
	m->id = t->id;
	m->launcher = t->step->rank == STEP_LAUNCHER;
	m->rank = m->launcher ? 0 : (uint64_t)t->step->rank;
	m->dir = m->launcher ? borrow(l->c.work) : NULL;
	m->own = !t->step->foreign;
	m->nactions = t->step->nactions;
	m->action = calloc(m->nactions + 1, sizeof *m->action);
	rc = m->action == NULL ? hp_fail(e, HP_NOMEM, "out of memory") : 0;
	t->streams = 0;
	t->wrote = 0;
	t->sent_s = t->back_s = 0;
	for (size_t i = 0; rc == 0 && i < m->nactions; i++)
		rc = set_action(&d, &t->step->action[i], &m->action[i], e);
	if (rc == 0)
		rc = wire_send(&t->machine->wire, m, e);
	if (rc == 0) {
		t->state = TASK_RUNS;
		t->step->start_s = clock_wall_s();
		l->running++;
	}
	draft_fini(&d);
	return rc;
}

static int
check_step(const struct launcher *l, const struct step *step, struct hp_err *e)
{
	if (step->rank == STEP_LAUNCHER ||
	    (step->rank >= 0 && (size_t)step->rank < l->c.nodes))
		return 0;
	return hp_fail(
	    e, HP_USAGE, "%s: there is no node %d", step->name, step->rank);
}

int
tasks_add(struct launcher *l, struct hp_err *e)
{
	const struct stage *s = l->stage;

	if (s->nomem)
		return hp_fail(e, HP_NOMEM, "out of memory");
	if (s->n > l->most)
		return hp_fail(e, HP_USAGE, "%s: the stage grows too much",
		    s->step[0]->name);
	for (; l->tasks < s->n; l->tasks++) {
		struct task *t = &l->task[l->tasks];
		int rank = s->step[l->tasks]->rank;

		if (check_step(l, s->step[l->tasks], e) == -1)
			return -1;
		t->step = s->step[l->tasks];
		t->index = l->tasks;
		t->restarts = t->step->restarts;
		t->machine =
		    &l->machine[rank == STEP_LAUNCHER ? 0 : l->of_rank[rank]];
	}
	return 0;
}

int
tasks_grow(struct launcher *l, size_t index, struct hp_err *e)
{
	struct stage *s = l->stage;

	if (s->grow == NULL)
		return 0;
	if (s->grow(s->context, s, index, e) == -1)
		return -1;
	return tasks_add(l, e) == -1 ? -1 : tasks_drop(l, e);
}

int
tasks_start(struct launcher *l, size_t from, struct hp_err *e)
{
	for (size_t i = from; i < l->tasks; i++) {
		struct task *t = &l->task[i];

		if (t->machine->lost || task_is_dropped(l, t))
			continue;
		if (start_task(l, t, e) == -1)
			return -1;
		data_send(l, t->machine);
		loop_push(&l->loop, t->machine);
	}
	return 0;
}

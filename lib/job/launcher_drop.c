#include "job/launcher_data.h"
#include "job/launcher_drop.h"

/* An agent may need this time more than the timeout to cancel a step. */
#define CANCEL_S 3.0

bool
task_is_dropped(struct launcher *l, struct task *t)
{
	if (!t->dropped || t->state == TASK_RUNS)
		return false;
	if (t->state != TASK_DONE) {
		t->state = TASK_DONE;
		l->done++;
	}
	return true;
}

static int
drop(struct launcher *l, struct task *t, struct hp_err *e)
{
	struct message m = { .type = MESSAGE_CANCEL, .id = t->id };

	t->dropped = true;
	if (task_is_dropped(l, t))
		return 0;
	t->cancel_s = l->loop.now_s;
	data_drop(l, t);
	if (wire_send(&t->machine->wire, &m, e) == -1)
		return -1;
	loop_push(&l->loop, t->machine);
	return 0;
}

struct machine *
tasks_overdue(const struct launcher *l)
{
	double since_s = l->loop.now_s - l->c.timeout_s - CANCEL_S;
	const struct task *t;

	for (size_t i = 0; i < l->drops && l->running > 0; i++) {
		t = &l->task[l->stage->dropped[i]];
		if (t->state == TASK_RUNS && t->cancel_s < since_s)
			return t->machine;
	}
	return NULL;
}

int
tasks_drop(struct launcher *l, struct hp_err *e)
{
	const struct stage *s = l->stage;

	while (l->drops < s->ndropped)
		if (drop(l, &l->task[s->dropped[l->drops++]], e) == -1)
			return -1;
	return 0;
}

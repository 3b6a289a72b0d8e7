#include <stdlib.h>
#include <string.h>

#include "job/launcher_data.h"
#include "job/launcher_drop.h"
#include "job/launcher_hear.h"
#include "job/launcher_judge.h"
#include "job/launcher_own.h"
#include "job/launcher_stage.h"
#include "job/launcher_start.h"
#include "job/launcher_stop.h"
#include "job/launcher_tell.h"

/*
 * If the journal has an entry for the step, an earlier process has completed
 * the step. Then takes the results of the step from the entry. A completed step
 * may add more steps to its stage (stage.grow).
 */
static int
recall(struct launcher *l, struct task *t, struct hp_err *e)
{
	const struct journal_entry *j = journal_find(
	    l->journal, l->number, t->index);
	struct step *step = t->step;
	size_t n = 0;

	if (j == NULL || task_is_dropped(l, t))
		return 0;
	if (j->rank != step->rank || strcmp(j->name, step->name) != 0)
		return hp_fail(e, HP_INPUT,
		    "%s/journal: belongs to another run: step %s of rank %d, "
		    "expected %s of rank %d",
		    l->c.work, j->name, j->rank, step->name, step->rank);
	for (size_t i = 0; i < step->nactions && n < j->nsizes; i++)
		if (step->action[i].kind == ACT_SIZE)
			step->action[i].size = j->size[n++];
	step->answer = j->answer;
	step->start_s = j->start_s;
	step->end_s = j->end_s;
	t->state = TASK_DONE;
	l->done++;
	return tasks_grow(l, t->index, e);
}

static void
forget_tasks(struct launcher *l)
{
	free(l->task);
	l->task = NULL;
	l->tasks = l->running = l->done = 0;
	l->first_id += l->ids;
	l->ids = 0;
	streams_clear(&l->streams);
	l->stage = NULL;
}

static int
make_tasks(struct launcher *l, struct stage *s, struct hp_err *e)
{
	/*
	 * Other structures point to tasks, so the array must not move. Allocate
	 * room for all steps that the stage may add.
	 */
	l->task = calloc(s->n + s->growth + 1, sizeof *l->task);
	if (l->task == NULL)
		return hp_fail(e, HP_NOMEM, "out of memory");
	l->stage = s;
	l->most = s->n + s->growth;
	l->drops = 0;
	l->growth = (struct hp_err){ 0 };
	l->cause = (struct cause){ 0 };
	l->told_s = l->loop.now_s;
	memset(l->wrote, 0, (l->c.nodes + 1) * sizeof *l->wrote);
	if (tasks_add(l, e) == -1 || tasks_drop(l, e) == -1)
		return -1;
	for (size_t i = 0; i < l->tasks && !s->passing; i++)
		if (recall(l, &l->task[i], e) == -1)
			return -1;
	return 0;
}

/*
 * Returns whether this stage or a later stage may need a machine that is lost.
 */
static bool
misses_a_machine(struct launcher *l)
{
	struct cause c;
	struct machine *m;

	if (l->nlost == 0 || (l->stage->once && !l->judging))
		return false;
	for (size_t i = 0; i < l->machines; i++) {
		m = &l->machine[i];
		if (!m->lost || l->judging)
			continue;
		c = cause_of_loss(m->nodes > 0 ? m->rank[0] : STEP_LAUNCHER);
		cause_hear(&l->cause, &c);
	}
	return l->cause.kind != CAUSE_NONE;
}

/*
 * Starts all steps that are not done. Sends each machine the messages about all
 * its steps together.
 */
static int
start_all(struct launcher *l, struct hp_err *e)
{
	struct cause c;
	struct task *t;

	for (size_t i = 0; i < l->tasks; i++) {
		t = &l->task[i];
		if (t->state == TASK_WAITS && t->machine->lost) {
			c = cause_of_loss(t->step->rank);
			cause_hear(&l->cause, &c);
			return 0;
		}
		if (t->state == TASK_WAITS && start_task(l, t, e) == -1)
			return -1;
		if (i + 1 < l->tasks && t[1].machine == t->machine)
			continue;
		if (t->machine->sending != NULL)
			data_send(l, t->machine);
		loop_push(&l->loop, t->machine);
	}
	return 0;
}

/*
 * Returns whether the stage runs while the launcher logs in to hosts, and a
 * login has failed.
 */
static bool
login_has_failed(const struct launcher *l)
{
	return l->facts != NULL && (l->unreached || l->faults);
}

static bool
must_end(const struct launcher *l)
{
	return l->signal != 0 || l->gone || l->fatal.kind != HP_NONE ||
	    l->growth.kind != HP_NONE || login_has_failed(l);
}

static int
run_tasks(struct launcher *l, struct hp_err *e)
{
	if (misses_a_machine(l) || must_end(l))
		return 0;
	if (start_all(l, e) == -1)
		return -1;
	while (l->running > 0 && l->cause.kind == CAUSE_NONE && !must_end(l))
		if (loop_turn(&l->loop, e) == -1)
			return -1;
	return 0;
}

static bool
is_done(const struct launcher *l)
{
	return l->done == l->tasks && l->cause.kind == CAUSE_NONE &&
	    l->growth.kind == HP_NONE;
}

static bool
try_again(struct launcher *l, const struct retry_facts *facts)
{
	char text[MESSAGE_LINE];
	struct task *t;

	if (must_end(l) || l->nlost > 0 ||
	    !retry_stage(&l->retry, &l->cause, facts))
		return false;
	cause_text(&l->cause, node_name(l, l->cause.rank), text, sizeof text);
	tell_note(l, "%s; trying again", text);
	l->cause = (struct cause){ 0 };
	for (size_t i = 0; i < l->tasks; i++) {
		t = &l->task[i];
		if (t->state != TASK_DONE && !task_is_dropped(l, t))
			t->state = TASK_WAITS;
	}
	return true;
}

/* Fills the outcome and the error of a failed stage. */
static int
explain(struct launcher *l, enum judgement judged,
    const struct retry_facts *facts, struct outcome *o, struct hp_err *e)
{
	char text[MESSAGE_LINE];

	if (work_is_gone(l)) {
		o->kind = OUTCOME_GONE;
		return hp_fail(e, HP_IO, "%s: has been removed", l->c.work);
	}
	if (l->signal != 0) {
		o->kind = OUTCOME_INTERRUPTED;
		o->code = l->signal;
		return hp_fail(e, HP_IO, "interrupted");
	}
	if (l->fatal.kind != HP_NONE) {
		*e = l->fatal;
		return -1;
	}
	if (l->growth.kind != HP_NONE) {
		*e = l->growth;
		return -1;
	}
	if (login_has_failed(l))
		return hp_fail(e, HP_LOST, "%s", "");
	cause_outcome(&l->cause, o);
	if (!l->judging && judged == JUDGE_NOTHING)
		name_the_lost(l, facts, o);
	if (o->why[0] != '\0')
		return hp_fail(e, HP_LOST, "%s", o->why);
	cause_text(&l->cause, node_name(l, l->cause.rank), text, sizeof text);
	return hp_fail(e, cause_error(&l->cause), "%s", text);
}

int
launcher_stage(
    struct launcher *l, struct stage *s, struct outcome *o, struct hp_err *e)
{
	struct retry_facts facts = { .hosts = has_hosts(l), .once = s->once };
	enum judgement judged = JUDGE_NOTHING;
	struct hp_err ignored;
	int rc;

	*o = (struct outcome){ .kind = OUTCOME_FAILED,
		.rank = STEP_LAUNCHER,
		.step = "",
		.code = CAUSE_CANNOT,
		.lost = l->lost };
	rc = make_tasks(l, s, e);
	do {
		if (rc == 0 && run_tasks(l, e) == -1) {
			stop_all(l, &ignored);
			rc = -1;
		}
		if (rc == -1 || is_done(l))
			break;
		rc = stop_all(l, e);
		if (rc == 0)
			judged = judge_stage(l, &facts, o);
	} while (rc == 0 && judged != JUDGE_DROP && try_again(l, &facts));
	if (rc == 0 && !is_done(l)) {
		rc = explain(l, judged, &facts, o, e);
		forget_tasks(l);
		return rc;
	}
	if (rc == 0 && l->c.keep && !s->passing)
		rc = journal_sync(l->journal, e);
	if (rc == 0 && !s->passing)
		l->number++;
	if (rc == 0)
		o->kind = OUTCOME_DONE;
	forget_tasks(l);
	return rc;
}

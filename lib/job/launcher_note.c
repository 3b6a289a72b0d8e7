#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "job/launcher_note.h"

static void
append_step(struct launcher *l, const struct task *t)
{
	const struct step *step = t->step;
	struct journal_entry entry = { .stage = l->number,
		.passing = l->stage->passing,
		.index = t->index,
		.rank = step->rank,
		.start_s = t->sent_s > 0 ? t->sent_s : step->start_s,
		.end_s = step->end_s,
		.answer = step->answer };
	uint64_t *size = NULL;
	struct hp_err e;
	size_t n = 0;

	for (size_t i = 0; i < step->nactions; i++)
		n += step->action[i].kind == ACT_SIZE;
	if (n > 0 && (size = calloc(n, sizeof *size)) == NULL) {
		hp_fail(&e, HP_NOMEM, "out of memory");
		hear_fatal(l, &e);
		return;
	}
	for (size_t i = 0; i < step->nactions; i++)
		if (step->action[i].kind == ACT_SIZE)
			size[entry.nsizes++] = step->action[i].size;
	entry.size = size;
	snprintf(entry.name, sizeof entry.name, "%s", step->name);
	if (journal_append(l->journal, &entry, &e) == -1)
		hear_fatal(l, &e);
	free(size);
}

/*
 * Writes a journal entry for the transfer of a step's input or output. Only a
 * step that has succeeded gets such entries, so a repeated step has only one
 * entry for each transfer.
 */
static void
append_moving(struct launcher *l, const struct task *t, const char *name,
    double start_s, double end_s)
{
	struct journal_entry entry = { .passing = true,
		.rank = t->step->rank,
		.start_s = start_s,
		.end_s = end_s };
	struct hp_err e;

	snprintf(entry.name, sizeof entry.name, "%s", name);
	if (journal_append(l->journal, &entry, &e) == -1)
		hear_fatal(l, &e);
}

void
note_step(struct launcher *l, const struct task *t)
{
	const struct step *s = t->step;
	struct step back = { .rank = s->rank, .name = s->returning };

	if (t->sent_s > 0)
		append_moving(l, t, s->sending, s->start_s, t->sent_s);
	append_step(l, t);
	if (l->c.step != NULL)
		l->c.step(l->c.context, s);
	if (back.name == NULL || t->back_s == 0)
		return;
	append_moving(l, t, back.name, t->back_s, s->end_s);
	if (l->c.step != NULL)
		l->c.step(l->c.context, &back);
}

void
note_sent(struct launcher *l, struct task *t)
{
	struct step sent = { .rank = t->step->rank, .name = t->step->sending };

	if (sent.name == NULL)
		return;
	t->sent_s = clock_wall_s();
	if (l->c.step != NULL)
		l->c.step(l->c.context, &sent);
}

void
note_taken(struct task *t)
{
	if (t->sent_s > 0)
		t->sent_s = clock_wall_s();
}

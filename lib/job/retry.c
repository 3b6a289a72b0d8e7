#include <stdio.h>

#include "job/retry.h"

enum {
	MISSES_A_PEER = 3, /* exit status of the toolkit's programs */
	LOGIN_BROKE = 255  /* exit status of ssh */
};

struct cause
cause_of_step(
    int rank, const char *step, bool asks, uint64_t code, uint64_t signal)
{
	struct cause c = { .kind = CAUSE_OWN,
		.rank = rank,
		.step = step,
		.code = (int)code,
		.signal = (int)signal };

	if (signal != 0 || code == MISSES_A_PEER)
		c.kind = CAUSE_EFFECT;
	else if (code == 0 || (code == 1 && asks))
		c.kind = CAUSE_NONE;
	return c;
}

struct cause
cause_of_command(int rank, const char *step, uint64_t code)
{
	return (struct cause){ .kind = CAUSE_OWN,
		.rank = rank,
		.step = step,
		.code = (int)code,
		.foreign = true };
}

struct cause
cause_of_loss(int rank)
{
	return (struct cause){ .kind = CAUSE_LOST, .rank = rank, .step = "" };
}

void
cause_hear(struct cause *known, const struct cause *c)
{
	if (c->kind > known->kind)
		*known = *c;
}

/*
 * Returns whether the connection of ssh broke, which ends ssh with the status
 * LOGIN_BROKE. The same status of a user's command does not count, because the
 * command may give it any meaning.
 */
static bool
login_broke(const struct cause *c)
{
	return c->kind == CAUSE_OWN && c->code == LOGIN_BROKE && !c->foreign;
}

bool
retry_step(const struct cause *c, unsigned restarts)
{
	return c->kind == CAUSE_EFFECT && c->signal != 0 && restarts > 0;
}

bool
retry_hope(const struct cause *c, const struct retry_facts *f)
{
	/*
	 * If the run uses only this machine, a retry would fail in the same
	 * way. An irrevocable stage must not be retried.
	 */
	if (!f->hosts || f->once)
		return false;
	if (c->kind == CAUSE_LOST)
		return true;
	return c->rank != STEP_LAUNCHER &&
	    (c->kind == CAUSE_EFFECT || login_broke(c));
}

bool
retry_stage(struct retry *r, const struct cause *c, const struct retry_facts *f)
{
	if (c->kind == CAUSE_LOST || !retry_hope(c, f) ||
	    r->stages >= RETRY_STAGES)
		return false;
	r->stages++;
	return true;
}

void
cause_text(const struct cause *c, const char *name, char *text, size_t size)
{
	if (c->kind == CAUSE_LOST)
		snprintf(text, size, "%s: lost", name);
	else if (c->signal != 0)
		snprintf(text, size, "%s: %s: killed by signal %d", name,
		    c->step, c->signal);
	else if (c->foreign)
		snprintf(text, size, "%s: %s: failed with exit status %d", name,
		    c->step, c->code);
	else
		snprintf(text, size, "%s: %s: failed", name, c->step);
}

void
cause_outcome(const struct cause *c, struct outcome *o)
{
	o->rank = c->rank;
	snprintf(o->step, sizeof o->step, "%s", c->step);
	o->code = c->code;
	o->kind = OUTCOME_FAILED;
	if (c->kind == CAUSE_NONE) {
		o->kind = OUTCOME_DONE;
	} else if (c->kind == CAUSE_LOST) {
		o->kind = OUTCOME_LOST;
	} else if (c->signal != 0) {
		o->kind = OUTCOME_KILLED;
		o->code = c->signal;
	}
}

enum hp_kind
cause_error(const struct cause *c)
{
	if (c->kind == CAUSE_NONE)
		return HP_NONE;
	return c->kind == CAUSE_OWN && !login_broke(c) ? HP_IO : HP_LOST;
}

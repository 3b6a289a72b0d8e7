#include "net/reporting.h"

int
reporting_open(struct engine *en, struct hp_err *e)
{
	if (en->x->report == NULL)
		return 0;
	if (unreached_init(&en->unreached, en->x->nodes, e) == -1)
		return -1;
	return en->x->report(en->x->context, NULL, 0, e);
}

static void
note_outlet(struct sending *s, const struct outlet *o)
{
	double silence_s = s->clock_s - o->heard_s;
	bool quiet = o->state == OUTLET_OPEN && !o->stored &&
	    silence_s >= s->en->silent_s;

	unreached_note(&s->en->unreached, UNREACHED_SENDING, o->rank,
	    quiet ? outlet_unreached(o) : UNREACHED_NOT, silence_s);
}

static void
note_inlet(struct receiving *r, const struct inlet *i)
{
	double silence_s = r->clock_s - i->heard_s;
	bool quiet = i->state < INLET_TOLD && silence_s >= r->en->silent_s;

	unreached_note(&r->en->unreached, UNREACHED_RECEIVING, i->rank,
	    quiet ? inlet_unreached(i) : UNREACHED_NOT, silence_s);
}

/*
 * Calls the function that writes the report of unreached peers. The caller
 * holds the lock. If the function fails, the user is told once, and the
 * exchange goes on.
 */
static void
put(struct engine *en)
{
	const struct unreached *list;
	size_t n = unreached_list(&en->unreached, &list);
	struct hp_err e = { 0 };

	if (en->x->report(en->x->context, list, n, &e) == 0 ||
	    en->report_failed)
		return;
	en->report_failed = true;
	engine_notice(en, e.text);
}

/*
 * Collects the state of the connections to all peers. `s` has the connections
 * for sending, `r` those for receiving. NULL leaves them out. The caller holds
 * the lock.
 */
static void
note_all(struct engine *en, struct sending *s, struct receiving *r)
{
	for (uint32_t i = 0; i < en->x->nodes; i++) {
		if (i == en->x->me)
			continue;
		if (s != NULL)
			note_outlet(s, &s->outlet[i]);
		if (r != NULL)
			note_inlet(r, &r->inlet[i]);
	}
	if (s != NULL)
		s->noted_s = s->clock_s;
	if (r != NULL)
		r->noted_s = r->clock_s;
}

void
reporting_turn(struct engine *en, struct sending *s, struct receiving *r)
{
	if (en->x->report == NULL)
		return;
	if (s != NULL && s->noted_s + en->beat_s > s->clock_s)
		s = NULL;
	if (r != NULL && r->noted_s + en->beat_s > r->clock_s)
		r = NULL;
	if (s == NULL && r == NULL)
		return;
	unreached_lock(&en->unreached);
	note_all(en, s, r);
	if (en->unreached.changed)
		put(en);
	unreached_unlock(&en->unreached);
}

void
reporting_end(struct engine *en, struct sending *s, struct receiving *r)
{
	const struct failure *b;

	if (en->x->report == NULL)
		return;
	unreached_lock(&en->unreached);
	note_all(en, s, r);
	b = &s->failure;
	if (b->seen != UNREACHED_NOT)
		unreached_note(&en->unreached, UNREACHED_SENDING, b->rank,
		    b->seen, s->clock_s - s->outlet[b->rank].heard_s);
	b = &r->failure;
	if (b->seen != UNREACHED_NOT)
		unreached_note(&en->unreached, UNREACHED_RECEIVING, b->rank,
		    b->seen, r->clock_s - r->inlet[b->rank].heard_s);
	if (en->unreached.changed)
		put(en);
	unreached_unlock(&en->unreached);
}

#include <stdio.h>

#include "net/connect.h"
#include "net/notes.h"

enum {
	/*
	 * maximum number of notes read from one receiver in a turn of the poll
	 * loop, so that other receivers do not wait
	 */
	NOTES_MOST = 64
};

/*
 * Ends the exchange because a receiver gives up. The receiver's note says which
 * node has failed and why.
 */
static int
quit(struct sending *s, const struct outlet *o, const struct note *note,
    struct hp_err *e)
{
	const struct exchange *x = s->en->x;
	uint64_t whose = note->value & ~QUIT_FINAL;
	uint32_t rank = o->rank;

	s->failure.final = whose != note->value;
	if (whose == x->me) {
		s->failure.rank = rank;
		snprintf(s->failure.why, sizeof s->failure.why, "gave up");
		hp_fail(e, HP_LOST, "%s: ended the exchange: %s", o->name,
		    note->text);
	} else {
		if (whose < x->nodes)
			rank = (uint32_t)whose;
		engine_lost(
		    s->en, &s->failure, rank, UNREACHED_NOT, note->text, e);
	}
	if (s->failure.final)
		e->kind = HP_INPUT;
	return -1;
}

/*
 * Records in the spool that the receiver has all data of this node. Called
 * before this node sends its last note, the bye. Called again with `parted` set
 * when the receiver has answered the bye.
 */
static int
all_stored(
    struct sending *s, const struct outlet *o, bool parted, struct hp_err *e)
{
	struct spool_record r = { .nodes = s->en->x->nodes,
		.from = o->rank,
		.to = s->en->x->me,
		.run = o->run,
		.restarts = o->restarts,
		.parted = parted };

	if (s->en->x->spool == NULL)
		return 0;
	return spool_put_sent(&s->en->spool, o->rank, &r, e);
}

static int
parted(struct sending *s, struct outlet *o, struct hp_err *e)
{
	outlet_hang_up(o);
	o->state = OUTLET_DONE;
	return all_stored(s, o, true, e);
}

int
notes_lost(
    struct sending *s, struct outlet *o, const char *why, struct hp_err *e)
{
	struct note note;
	int event = OUTLET_HEARD;

	/*
	 * Before the connection was lost, messages of the receiver may have
	 * arrived. Read them, because they may say that the exchange has failed
	 * or that all data are stored.
	 */
	for (int i = 0; i < NOTES_MOST && event == OUTLET_HEARD; i++)
		event = outlet_read(o, &note, e);
	if (event == OUTLET_QUIT)
		return quit(s, o, &note, e);
	if (event == OUTLET_PARTED)
		return parted(s, o, e);
	if (event == OUTLET_ALL && all_stored(s, o, false, e) == -1)
		return -1;
	if (event == -1)
		return -1;
	outlet_hang_up(o);
	if (!o->suspected) {
		o->why = why;
		o->lost_s = s->clock_s;
	}
	if (o->state == OUTLET_LEAVING) {
		o->stored = o->restarts;
		o->state = o->stored ? OUTLET_OPEN : OUTLET_DONE;
	}
	return 0;
}

int
notes_read(struct sending *s, struct outlet *o, struct hp_err *e)
{
	struct note note;

	for (int i = 0; i < NOTES_MOST; i++) {
		switch (outlet_read(o, &note, e)) {
		case OUTLET_NOTHING:
			return 0;
		case OUTLET_ALL:
			return all_stored(s, o, false, e);
		case OUTLET_PARTED:
			return parted(s, o, e);
		case OUTLET_HEARD:
			connect_heard(s, o);
			break;
		case OUTLET_QUIT:
			return quit(s, o, &note, e);
		case OUTLET_LOST:
			return notes_lost(s, o, channel_why(&o->channel), e);
		case OUTLET_DAMAGED:
			return notes_lost(s, o, "sends damaged notes", e);
		default:
			return -1;
		}
	}
	return 0;
}

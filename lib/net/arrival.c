#include <inttypes.h>

#include "net/arrival.h"
#include "net/resume.h"

enum {
	DAMAGED_MOST = 5 /* times that a frame may arrive damaged */
};

void
arrival_lost(struct receiving *r, struct inlet *i, const char *why)
{
	inlet_hang_up(i);
	i->why = why;
	i->heard_s = r->clock_s;
}

/* Asks the sender to send a damaged frame again, a limited number of times. */
static int
damaged(struct receiving *r, struct inlet *i, const struct hp_err *how,
    struct hp_err *e)
{
	arrival_lost(r, i, "sent damaged data");
	if (++i->damaged < DAMAGED_MOST) {
		engine_notice(r->en, how->text);
		return 0;
	}
	return engine_lost(r->en, &r->failure, i->rank, UNREACHED_DAMAGED,
	    "all data from it is damaged", e);
}

void
arrival_flush(struct receiving *r, struct inlet *i)
{
	if (inlet_flush(i) == -1)
		arrival_lost(r, i, channel_why(&i->channel));
}

int
arrival_write(struct receiving *r, struct inlet *i, struct hp_err *e)
{
	int rc = sink_put(&r->sink, i->rank, &i->buf, e);

	if (rc != 1)
		return rc;
	if (resume_stored(r, i, e) == -1)
		return -1;
	if (inlet_taken(i)) {
		inlet_tell(i);
		arrival_flush(r, i);
	}
	return 0;
}

/*
 * Writes a complete frame to the output at once if the output has room. This is
 * fast, because the frame is still in the processor's cache.
 */
static int
pass_on(struct receiving *r, struct inlet *i, struct hp_err *e)
{
	return i->ready && sink_takes(&r->sink, i->rank)
	    ? arrival_write(r, i, e)
	    : 0;
}

/*
 * Handles the bye, the last message of a sender. Logs the bye before it answers
 * it.
 */
static int
parted(struct receiving *r, struct inlet *i, struct hp_err *e)
{
	if (resume_bye(r, i, e) == -1)
		return -1;
	if (r->log != NULL) {
		inlet_note(i, NOTE_BYE, inlet_next(i), "");
		inlet_flush(i);
	}
	inlet_hang_up(i);
	return 0;
}

/* Fails if the sender has sent more bytes than any node can have. */
static int
check_amount(const struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	uint64_t most = r->en->x->most;

	if (most == 0 || i->totals.bytes <= most)
		return 0;
	return hp_fail(e, HP_INPUT, "%s: sends more than %" PRIu64 " bytes",
	    i->name, most);
}

int
arrival_read(struct receiving *r, struct inlet *i, struct hp_err *e)
{
	struct hp_err how;

	switch (inlet_read(i, r->en->x->me, &how)) {
	case INLET_HEARD:
		i->heard_s = r->clock_s;
		if (i->state == INLET_CLOSED)
			return parted(r, i, e);
		if (check_amount(r, i, e) == -1)
			return -1;
		return pass_on(r, i, e);
	case INLET_NOTHING:
		return 0;
	case INLET_LOST:
		arrival_lost(r, i, channel_why(&i->channel));
		return 0;
	case INLET_DAMAGED:
		return damaged(r, i, &how, e);
	default:
		*e = how;
		return -1;
	}
}

int
arrival_local(struct receiving *r, struct hp_err *e)
{
	struct inlet *local = &r->inlet[r->en->x->me];
	struct framebuf *p = &local->buf;

	if (!inlet_room(local))
		return 0;
	switch (localqueue_take(&r->en->local, p)) {
	case LOCALQUEUE_FRAME:
		inlet_arrived(local);
		return pass_on(r, local, e);
	case LOCALQUEUE_END:
		local->state = INLET_ENDED;
		break;
	case LOCALQUEUE_EMPTY:
		break;
	}
	return 0;
}

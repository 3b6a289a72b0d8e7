#include <inttypes.h>
#include <stdio.h>

#include "net/adopt.h"

/*
 * Delay in seconds before the next connection attempt, if a connection ended
 * before the receiver sent a note (wire.h) on it. The delay is multiplied by
 * the number of such connections in a row.
 */
static const double HASTE_S = 0.1;
/*
 * If a receiver was silent for at least this many seconds, the user is told
 * when it is heard again.
 */
static const double NOTICE_S = 5;

enum {
	FRUITLESS_MOST = 10 /* connections in a row without a note */
};

int
adopt_count_fruitless(struct sending *s, struct outlet *o, struct hp_err *e)
{
	if (++o->fruitless < FRUITLESS_MOST)
		return 0;
	return engine_lost(s->en, &s->failure, o->rank, UNREACHED_BROKEN,
	    "all connections to it break", e);
}

/* Reports that the receiver is connected again. */
static void
report(const struct sending *s, const struct outlet *o,
    const struct handshake *g, uint64_t again)
{
	double after_s = s->clock_s - o->lost_s;
	char text[256];

	/*
	 * Report a new connection only if the old one was lost or silent for
	 * too long. The attempt to connect must have begun after the loss.
	 */
	if (g->since_s < o->lost_s ||
	    (channel_is_open(&o->channel) && !o->suspected))
		return;
	if (o->why == NULL && after_s < NOTICE_S)
		return;
	snprintf(text, sizeof text,
	    "%s: %s; connected again after %.1f s, %" PRIu64
	    " bytes are sent again",
	    o->name, o->why != NULL ? o->why : "was silent", after_s, again);
	engine_notice(s->en, text);
}

/*
 * Continues after the last frame that the receiver has. If the window does not
 * have the frames that follow, reads them from the file again. This happens if
 * a killed process had sent frames, or if the receiver lost acknowledged
 * frames.
 */
static int
resume(struct sending *s, struct outlet *o, const struct hello *h,
    uint64_t *again, struct hp_err *e)
{
	bool ended = (h->flags & HELLO_ENDED) != 0, inside;
	bool mine = !s->en->spool.resumed || o->answered > 0;
	struct frame_totals had = { h->frames - ended, h->records, h->bytes };

	if (mine && window_resume(&o->window, h->frames, again) == 0)
		return 0;
	if (s->en->x->path == NULL || h->frames < ended ||
	    (mine && h->frames > o->window.next))
		return hp_fail(e, HP_INPUT,
		    "%s: asks for frame %" PRIu64 " of %" PRIu64 " to %" PRIu64,
		    o->name, h->frames, o->window.first, o->window.next);
	*again = mine ? o->totals.bytes - had.bytes : 0;
	if (parts_seek(
		&s->parts, o->rank, had.records, had.bytes, &inside, e) == -1)
		return -1;
	outlet_rewind(o, &had, inside, ended);
	return 0;
}

int
adopt(struct sending *s, struct outlet *o, struct handshake *g,
    const struct hello *h, struct hp_err *e)
{
	uint64_t again;

	if (resume(s, o, h, &again, e) == -1)
		return -1;
	if (o->answered > 0)
		report(s, o, g, again);
	outlet_hang_up(o);
	o->channel = handshake_take(g);
	o->answered = g->attempt;
	o->why = NULL;
	o->suspected = false;
	o->heard_s = o->wrote_s = s->clock_s;
	retrypolicy_connected(&o->retry);
	for (int k = 0; k < OUTLET_ATTEMPTS; k++)
		if (o->attempt[k].attempt < o->answered)
			handshake_close(&o->attempt[k]);
	if (adopt_count_fruitless(s, o, e) == -1)
		return -1;
	o->next_s = s->clock_s + o->fruitless * HASTE_S;
	if (o->next_s > s->clock_s + OUTLET_AGAIN_S)
		o->next_s = s->clock_s + OUTLET_AGAIN_S;
	return 0;
}

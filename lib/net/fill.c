#include <string.h>

#include "net/fill.h"

/*
 * Moves the next frame of the input stream to the window of its receiver, if
 * the window has room.
 */
static void
pass_on(struct sending *s)
{
	struct framebuf *p = &s->framed.buf;
	unsigned char *payload;

	if (p->frame.sublist == s->en->x->me) {
		if (!localqueue_room(&s->en->local))
			return;
		localqueue_put(&s->en->local, p);
	} else {
		struct outlet *o = &s->outlet[p->frame.sublist];

		if ((payload = outlet_room(o, p->frame.length)) == NULL)
			return;
		memcpy(payload, framebuf_payload(p), p->frame.length);
		outlet_put(o, payload, &p->frame);
		framebuf_clear(p);
	}
	s->framed.ready = false;
}

/*
 * Reads the next frame for a receiver from the input file, if the window of the
 * receiver has room.
 */
static int
fill_outlet(struct sending *s, struct outlet *o, struct hp_err *e)
{
	struct frame f;
	unsigned char *payload;
	int rc;

	/*
	 * If this process resumes the exchange, wait for the receiver's first
	 * answer, which says which frames the killed process had sent.
	 */
	if ((s->en->spool.resumed && o->answered == 0) ||
	    window_full(&o->window) ||
	    (payload = outlet_room(o, PARTS_CHUNK)) == NULL)
		return 0;
	rc = parts_next(&s->parts, o->rank, payload, &f, e);
	if (rc == 1)
		outlet_put(o, payload, &f);
	if (rc == 0)
		outlet_end(o);
	return rc == -1 ? -1 : 0;
}

static int
fill_own(struct sending *s, struct hp_err *e)
{
	struct framebuf *p = &s->spare;
	int rc;

	if (!localqueue_room(&s->en->local))
		return 0;
	rc = parts_next(
	    &s->parts, s->en->x->me, framebuf_payload(p), &p->frame, e);
	if (rc == 1) {
		p->len = FRAME_HEAD + p->frame.length;
		localqueue_put(&s->en->local, p);
	}
	s->local_ended = rc == 0;
	if (s->local_ended)
		localqueue_end(&s->en->local);
	return rc == -1 ? -1 : 0;
}

static int
fill_from_parts(struct sending *s, struct hp_err *e)
{
	uint32_t n = s->en->x->nodes, me = s->en->x->me;

	if (!s->local_ended && fill_own(s, e) == -1)
		return -1;
	for (uint32_t k = 1; k < n; k++)
		if (fill_outlet(s, &s->outlet[(me + k) % n], e) == -1)
			return -1;
	return 0;
}

int
fill_windows(struct sending *s, struct hp_err *e)
{
	if (s->en->x->path != NULL)
		return fill_from_parts(s, e);
	if (s->framed.ready)
		pass_on(s);
	if (s->framed.state != FRAMED_DONE)
		return 0;
	for (uint32_t i = 0; i < s->en->x->nodes; i++)
		if (i != s->en->x->me)
			outlet_end(&s->outlet[i]);
	if (!s->local_ended)
		localqueue_end(&s->en->local);
	s->local_ended = true;
	return 0;
}

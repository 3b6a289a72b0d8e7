#include <errno.h>
#include <string.h>

#include "net/outlet.h"

int
outlet_init(struct outlet *o, uint32_t me, uint32_t rank, const char *name,
    bool shares, struct hp_err *e)
{
	*o = (struct outlet){ .rank = rank,
		.name = name,
		.source = me,
		.sublist = rank,
		.channel = CHANNEL_NONE };
	for (int i = 0; i < OUTLET_ATTEMPTS; i++)
		o->attempt[i].channel = CHANNEL_NONE;
	return window_init(&o->window, shares, e);
}

void
outlet_fini(struct outlet *o)
{
	if (o->name == NULL)
		return;
	outlet_close_all(o);
	window_fini(&o->window);
}

unsigned char *
outlet_room(const struct outlet *o, size_t payload)
{
	unsigned char *head = o->ended ? NULL
				       : window_room(&o->window, payload);

	return head == NULL ? NULL : head + FRAME_HEAD;
}

void
outlet_put(struct outlet *o, unsigned char *payload, const struct frame *given)
{
	unsigned char *head = payload - FRAME_HEAD;
	struct frame f = *given;

	f.number = o->totals.frames;
	frame_count(&o->totals, &f);
	o->inside = (f.flags & FRAME_MORE) != 0;
	frame_encode(&f, payload, head);
	window_put(&o->window, head, f.length);
}

void
outlet_rewind(
    struct outlet *o, const struct frame_totals *had, bool inside, bool ended)
{
	o->totals = *had;
	o->inside = inside;
	o->ended = ended;
	window_rewind(&o->window, had->frames + ended);
}

void
outlet_beat(struct outlet *o)
{
	struct frame f = { .type = FRAME_DATA,
		.source = o->source,
		.sublist = o->sublist,
		.flags = o->inside ? FRAME_MORE : 0 };
	unsigned char *payload = outlet_room(o, 0);

	if (payload != NULL)
		outlet_put(o, payload, &f);
}

void
outlet_end(struct outlet *o)
{
	unsigned char *payload = outlet_room(o, FRAME_END_PAYLOAD);

	if (payload == NULL)
		return;
	frame_end(&o->totals, payload - FRAME_HEAD);
	window_put(&o->window, payload - FRAME_HEAD, FRAME_END_PAYLOAD);
	o->ended = true;
}

bool
outlet_busy(const struct outlet *o)
{
	return channel_is_open(&o->channel) &&
	    (o->bye_len > 0 || window_waits(&o->window));
}

static ssize_t
write_bye(struct outlet *o)
{
	ssize_t n = channel_write(&o->channel, o->bye, o->bye_len);

	if (n == -1)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	o->bye_len -= (uint32_t)n;
	memmove(o->bye, o->bye + n, o->bye_len);
	if (o->bye_len == 0 && !o->restarts) {
		o->state = OUTLET_DONE;
		outlet_hang_up(o);
	}
	return n;
}

ssize_t
outlet_write(struct outlet *o)
{
	return o->state == OUTLET_LEAVING
	    ? write_bye(o)
	    : window_write(&o->window, &o->channel);
}

static int
hear_stored(struct outlet *o, const struct note *note, struct hp_err *e)
{
	if (!o->ended || window_waits(&o->window) ||
	    note->value != o->window.next)
		return hp_fail(e, HP_INPUT,
		    "%s: confirmed records that were not sent yet", o->name);
	o->state = OUTLET_LEAVING;
	o->bye_len = note_encode(NOTE_BYE, o->window.next, "", o->bye);
	return OUTLET_ALL;
}

static int
hear(struct outlet *o, struct note *note, struct hp_err *e)
{
	int n = o->state != OUTLET_DONE ? note_decode(o->in, o->have, note) : 0;

	if (n == 0)
		return OUTLET_NOTHING;
	if (n == -1)
		return OUTLET_DAMAGED;
	o->have -= (uint32_t)n;
	memmove(o->in, o->in + n, o->have);
	/*
	 * This node has sent the bye or will send it, so expect only the answer
	 * to the bye. After a reconnection, the receiver may also say again
	 * that everything is stored.
	 */
	if (o->state == OUTLET_LEAVING && note->type != NOTE_STORED)
		return note->type == NOTE_BYE && o->bye_len == 0
		    ? OUTLET_PARTED
		    : OUTLET_DAMAGED;
	switch (note->type) {
	case NOTE_ALIVE:
		if (window_ack(&o->window, note->value) == -1)
			return hp_fail(e, HP_INPUT,
			    "%s: acknowledges more than was sent", o->name);
		return OUTLET_HEARD;
	case NOTE_STORED:
		return hear_stored(o, note, e);
	case NOTE_PASSED:
		o->passed = (uint32_t)note->value;
		return OUTLET_HEARD;
	case NOTE_SHARES:
		if (!o->window.offered)
			return OUTLET_DAMAGED;
		o->window.shared = true;
		return OUTLET_HEARD;
	case NOTE_QUIT:
		return OUTLET_QUIT;
	default:
		return OUTLET_DAMAGED;
	}
}

int
outlet_read(struct outlet *o, struct note *note, struct hp_err *e)
{
	int event = hear(o, note, e);
	ssize_t n;

	if (event != OUTLET_NOTHING || !channel_is_open(&o->channel))
		return event;
	if (o->have == sizeof o->in) /* no note is that long */
		return OUTLET_DAMAGED;
	n = channel_read(&o->channel, o->in + o->have, sizeof o->in - o->have);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return OUTLET_NOTHING;
	if (n <= 0)
		return OUTLET_LOST;
	o->have += (uint32_t)n;
	return hear(o, note, e);
}

void
outlet_hang_up(struct outlet *o)
{
	channel_close(&o->channel);
	window_hang_up(&o->window);
	o->have = o->bye_len = 0;
}

void
outlet_close_all(struct outlet *o)
{
	outlet_hang_up(o);
	for (int i = 0; i < OUTLET_ATTEMPTS; i++)
		handshake_close(&o->attempt[i]);
}

enum unreached_why
outlet_unreached(const struct outlet *o)
{
	switch (o->errnum) {
	case EHOSTUNREACH:
	case ENETUNREACH:
	case ENETDOWN:
		return UNREACHED_NO_ROUTE;
	case ECONNREFUSED:
		return o->run != 0 ? UNREACHED_ENDED : UNREACHED_REFUSED;
	}
	if (o->run == 0)
		return UNREACHED_NEVER;
	return o->why != NULL ? UNREACHED_BROKEN : UNREACHED_SILENT;
}

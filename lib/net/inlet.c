#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "net/inlet.h"

int
inlet_init(struct inlet *i, uint32_t rank, const char *name, struct hp_err *e)
{
	*i = (struct inlet){
		.rank = rank, .name = name, .channel = CHANNEL_NONE
	};
	return parcel_init(&i->parcel, e);
}

void
inlet_close(struct inlet *i)
{
	channel_close(&i->channel);
	i->state = INLET_CLOSED;
}

void
inlet_fini(struct inlet *i)
{
	inlet_close(i);
	parcel_fini(&i->parcel);
}

static void
arrived(struct inlet *i)
{
	const struct frame *f = &i->parcel.frame;

	frame_count(&i->totals, f);
	i->inside = (f->flags & FRAME_MORE) != 0;
	i->ready = true;
	i->parcel.pos = FRAME_HEAD;
}

void
inlet_put(struct inlet *i, struct parcel *p)
{
	parcel_swap(&i->parcel, p);
	parcel_clear(p);
	arrived(i);
}

static int
take_end(struct inlet *i, struct hp_err *e)
{
	if (i->inside)
		return hp_fail(
		    e, HP_INPUT, "%s: ends inside a record", i->name);
	if (frame_end_check(
		parcel_payload(&i->parcel), &i->totals, i->name, e) == -1)
		return -1;
	parcel_clear(&i->parcel);
	i->state = INLET_ENDED;
	return 0;
}

/* Checks what the checksum cannot tell: that it is the frame expected. */
static int
take(struct inlet *i, uint32_t me, struct hp_err *e)
{
	const struct frame *f = &i->parcel.frame;

	if (f->number != i->totals.frames)
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 " came in place of %" PRIu64, i->name,
		    f->number, i->totals.frames);
	if (f->type == FRAME_END)
		return take_end(i, e);
	if (f->source != i->rank || f->sublist != me)
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 " of node %" PRIu32
		    " for sublist %" PRIu32 " does not belong here",
		    i->name, f->number, f->source, f->sublist);
	arrived(i);
	return 0;
}

int
inlet_read(struct inlet *i, uint32_t me, struct hp_err *e)
{
	int step = parcel_read(&i->parcel, &i->channel, i->name, e);

	if (step == PARCEL_WHOLE && take(i, me, e) == -1)
		return -1;
	return step;
}

void
inlet_note(
    struct inlet *i, enum note_type type, uint64_t value, const char *text)
{
	if (channel_is_open(&i->channel) &&
	    i->out_len + NOTE_MAX <= sizeof i->out)
		i->out_len += note_encode(
		    type, value, text, i->out + i->out_len);
}

int
inlet_flush(struct inlet *i)
{
	ssize_t n;

	while (i->out_len > 0) {
		n = channel_write(&i->channel, i->out, i->out_len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return errno == EAGAIN ? 0 : -1;
		i->out_len -= (uint32_t)n;
		memmove(i->out, i->out + n, i->out_len);
	}
	return 0;
}

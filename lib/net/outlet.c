#include <errno.h>
#include <string.h>

#include "net/outlet.h"

int
outlet_init(struct outlet *o, uint32_t me, uint32_t rank, const char *name,
    struct hp_err *e)
{
	*o = (struct outlet){
		.rank = rank, .name = name, .channel = CHANNEL_NONE
	};
	if (parcel_init(&o->parcel, e) == -1)
		return -1;
	o->parcel.frame.source = me;
	o->parcel.frame.sublist = rank;
	return 0;
}

void
outlet_fini(struct outlet *o)
{
	channel_close(&o->channel);
	parcel_fini(&o->parcel);
}

int
outlet_greet(struct outlet *o, struct channel c, const struct hello *mine)
{
	unsigned char bytes[HELLO_SIZE];
	struct hello h = *mine;

	h.to = o->rank;
	hello_encode(&h, bytes);
	o->channel = c;
	o->state = OUTLET_GREETING;
	return channel_greet(&o->channel, bytes, sizeof bytes);
}

static void
put(struct outlet *o)
{
	struct frame f = o->parcel.frame;

	f.number = o->totals.frames;
	frame_count(&o->totals, &f);
	o->inside = (f.flags & FRAME_MORE) != 0;
	parcel_seal(&o->parcel, &f);
}

void
outlet_put(struct outlet *o, struct parcel *p)
{
	parcel_swap(&o->parcel, p);
	parcel_clear(p);
	put(o);
}

void
outlet_beat(struct outlet *o)
{
	struct frame *f = &o->parcel.frame;

	/* Source and sublist are those of the frame before. */
	f->type = FRAME_DATA;
	f->length = f->records = 0;
	f->flags = o->inside ? FRAME_MORE : 0;
	put(o);
}

void
outlet_end(struct outlet *o)
{
	frame_end(&o->totals, o->parcel.bytes);
	o->parcel.pos = 0;
	o->parcel.len = FRAME_HEAD + FRAME_END_PAYLOAD;
	o->ended = true;
}

bool
outlet_busy(const struct outlet *o)
{
	return o->state == OUTLET_OPEN && o->parcel.len > 0;
}

ssize_t
outlet_write(struct outlet *o)
{
	size_t before = o->parcel.pos;
	int rc = parcel_write(&o->parcel, &o->channel);

	if (rc == -1)
		return -1;
	before = o->parcel.pos - before;
	if (rc == 1)
		parcel_clear(&o->parcel);
	return (ssize_t)before;
}

/* The answer to our hello. */
static int
hear_answer(struct outlet *o, const struct hello *mine, struct note *note,
    struct hp_err *e)
{
	struct hello h;

	if (hello_decode(o->in, &h) == -1)
		return hp_fail(
		    e, HP_INPUT, "%s: answers, but is no hpexchange", o->name);
	if (h.verdict == VERDICT_WELCOME)
		h.verdict = hello_judge(&h, mine);
	if (h.verdict == VERDICT_WELCOME && h.from != o->rank)
		h.verdict = VERDICT_ADDRESS;
	o->have -= HELLO_SIZE;
	memmove(o->in, o->in + HELLO_SIZE, o->have);
	if (h.verdict != VERDICT_WELCOME) {
		note->value = (uint64_t)h.verdict;
		return OUTLET_REFUSED;
	}
	o->state = OUTLET_OPEN;
	return OUTLET_HEARD;
}

static int
hear_note(struct outlet *o, struct note *note, struct hp_err *e)
{
	int n = note_decode(o->in, o->have, note);

	if (n == 0)
		return OUTLET_NOTHING;
	if (n == -1)
		return hp_fail(e, HP_INPUT, "%s: not a note", o->name);
	o->have -= (uint32_t)n;
	memmove(o->in, o->in + n, o->have);
	if (note->type == NOTE_QUIT)
		return OUTLET_QUIT;
	if (note->value > o->totals.frames)
		return hp_fail(
		    e, HP_INPUT, "%s: has more than it was sent", o->name);
	if (note->type == NOTE_ALIVE)
		return OUTLET_HEARD;
	if (!o->ended || outlet_busy(o) || note->value != o->totals.frames)
		return hp_fail(e, HP_INPUT,
		    "%s: says that all is stored too early", o->name);
	o->state = OUTLET_STORED;
	channel_close(&o->channel);
	return OUTLET_ALL;
}

static int
hear(struct outlet *o, const struct hello *mine, struct note *note,
    struct hp_err *e)
{
	if (o->state == OUTLET_OPEN)
		return hear_note(o, note, e);
	if (o->state == OUTLET_GREETING && o->have >= HELLO_SIZE)
		return hear_answer(o, mine, note, e);
	return OUTLET_NOTHING;
}

int
outlet_read(struct outlet *o, const struct hello *mine, struct note *note,
    struct hp_err *e)
{
	int event = hear(o, mine, note, e);
	ssize_t n;

	if (event != OUTLET_NOTHING || !channel_is_open(&o->channel))
		return event;
	n = channel_read(&o->channel, o->in + o->have, sizeof o->in - o->have);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return OUTLET_NOTHING;
	if (n <= 0)
		return OUTLET_EOF;
	o->have += (uint32_t)n;
	event = hear(o, mine, note, e);
	return event == OUTLET_NOTHING ? OUTLET_HEARD : event;
}

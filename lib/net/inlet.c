#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "net/inlet.h"
#include "net/window.h"

/*
 * This node acknowledges a sender's frames after this many bytes or frames, and
 * also with each heartbeat.
 */
enum {
	TELL_BYTES = 1 << 18,
	TELL_FRAMES = 32
};

int
inlet_init(struct inlet *i, uint32_t rank, const char *name, struct hp_err *e)
{
	*i = (struct inlet){
		.rank = rank, .name = name, .channel = CHANNEL_NONE
	};
	return framebuf_init(&i->buf, e);
}

void
inlet_hang_up(struct inlet *i)
{
	const unsigned char *window = i->buf.shared;

	channel_close(&i->channel);
	i->out_len = 0;
	if (!i->ready)
		framebuf_clear(&i->buf);
	framebuf_detach(&i->buf);
	window_unmap(window);
}

void
inlet_connect(struct inlet *i, struct channel c)
{
	inlet_hang_up(i);
	i->channel = c;
	i->why = NULL;
	i->passed = 0;
	/*
	 * Tell the sender again that everything is stored, because a restarted
	 * sender may not know it.
	 */
	if (i->state >= INLET_TOLD)
		inlet_note(i, NOTE_STORED, inlet_next(i), "");
}

void
inlet_fini(struct inlet *i)
{
	channel_close(&i->channel);
	window_unmap(i->buf.shared);
	framebuf_fini(&i->buf);
}

void
inlet_arrived(struct inlet *i)
{
	const struct frame *f = &i->buf.frame;

	frame_count(&i->totals, f);
	i->inside = (f->flags & FRAME_MORE) != 0;
	i->ready = true;
	i->buf.pos = FRAME_HEAD;
}

bool
inlet_taken(struct inlet *i)
{
	i->untold += (uint32_t)i->buf.len;
	i->ready = false;
	framebuf_clear(&i->buf);
	return i->untold >= TELL_BYTES ||
	    i->totals.frames - i->told >= TELL_FRAMES;
}

static int
take_end(struct inlet *i, struct hp_err *e)
{
	if (i->inside)
		return hp_fail(
		    e, HP_INPUT, "%s: ends inside a record", i->name);
	if (frame_end_check(i->buf.payload, &i->totals, i->name, e) == -1)
		return -1;
	framebuf_clear(&i->buf);
	i->state = INLET_ENDED;
	return INLET_HEARD;
}

/*
 * Accepts a frame if it is the next frame that this node expects from the
 * sender.
 */
static int
take(struct inlet *i, uint32_t me, struct hp_err *e)
{
	const struct frame *f = &i->buf.frame;

	i->damaged = 0;
	if (f->number != i->totals.frames)
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 " arrived instead of %" PRIu64,
		    i->name, f->number, i->totals.frames);
	if (f->type == FRAME_END)
		return take_end(i, e);
	if (f->source != i->rank || f->sublist != me)
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 " of node %" PRIu32
		    " for sublist %" PRIu32 " does not belong here",
		    i->name, f->number, f->source, f->sublist);
	inlet_arrived(i);
	return INLET_HEARD;
}

/*
 * Reads the bye of the sender, the only message that may follow the end frame.
 */
static int
read_bye(struct inlet *i, struct hp_err *e)
{
	struct framebuf *p = &i->buf;
	ssize_t n = channel_read(
	    &i->channel, p->bytes + p->pos, NOTE_HEAD - p->pos);
	struct note note;
	int len;

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return INLET_NOTHING;
	if (n <= 0)
		return INLET_LOST;
	p->pos += (size_t)n;
	if ((len = note_decode(p->bytes, (uint32_t)p->pos, &note)) == 0)
		return INLET_HEARD;
	if (len == -1 || note.type != NOTE_BYE || i->state < INLET_TOLD) {
		hp_fail(
		    e, HP_INPUT, "%s: sent data after its end frame", i->name);
		return INLET_DAMAGED;
	}
	i->state = INLET_CLOSED;
	return INLET_HEARD;
}

/*
 * Maps the sender's window of frames as shared memory. Tells the sender, which
 * may then send references to frames in the window instead of the frames.
 */
static void
take_window(struct inlet *i)
{
	i->buf.shared = window_map(i->channel.passed);
	if (i->buf.shared != NULL)
		inlet_note(i, NOTE_SHARES, 0, "");
	close(i->channel.passed);
	i->channel.passed = -1;
	channel_stop_passing(&i->channel);
}

int
inlet_read(struct inlet *i, uint32_t me, struct hp_err *e)
{
	enum framebuf_event step;

	if (i->state != INLET_OPEN)
		return read_bye(i, e);
	step = framebuf_read(&i->buf, &i->channel, i->name, e);
	if (i->channel.passed != -1)
		take_window(i);
	/*
	 * When the head of a frame has arrived, its payload has probably
	 * arrived, too. So read again.
	 */
	if (step == FRAMEBUF_PART && i->buf.pos == FRAME_HEAD)
		step = framebuf_read(&i->buf, &i->channel, i->name, e);
	switch (step) {
	case FRAMEBUF_PART:
		return INLET_HEARD;
	case FRAMEBUF_WHOLE:
		return take(i, me, e);
	case FRAMEBUF_DAMAGED:
		return INLET_DAMAGED;
	default:
		return INLET_LOST;
	}
}

bool
inlet_note(
    struct inlet *i, enum note_type type, uint64_t value, const char *text)
{
	if (!channel_is_open(&i->channel) ||
	    i->out_len + NOTE_MAX > sizeof i->out)
		return false;
	i->out_len += note_encode(type, value, text, i->out + i->out_len);
	return true;
}

void
inlet_tell(struct inlet *i)
{
	/* If a note is still queued, this note serves as the heartbeat. */
	if (i->out_len > 0)
		return;
	i->told = i->totals.frames - i->ready;
	i->untold = 0;
	inlet_note(i, NOTE_ALIVE, i->told, "");
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

enum unreached_why
inlet_unreached(const struct inlet *i)
{
	if (i->run == 0)
		return UNREACHED_NEVER;
	return i->why != NULL ? UNREACHED_BROKEN : UNREACHED_SILENT;
}

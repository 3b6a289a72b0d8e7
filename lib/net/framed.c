#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "net/framed.h"

int
framed_init(struct framed *s, int fd, const char *name, uint32_t me,
    uint32_t nodes, struct hp_err *e)
{
	*s = (struct framed){
		.fd = fd, .name = name, .me = me, .nodes = nodes
	};
	return framebuf_init(&s->buf, e);
}

void
framed_fini(struct framed *s)
{
	framebuf_fini(&s->buf);
}

static int
cut_short(const struct framed *s, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT,
	    "%s: cut short: ends after frame %" PRIu64 ", without an end frame",
	    s->name, s->totals.frames);
}

static int
read_head(struct framed *s, struct hp_err *e)
{
	struct framebuf *p = &s->buf;
	ssize_t n = read(s->fd, p->bytes + p->pos, FRAME_STREAM_HEAD - p->pos);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "%s", s->name);
	if (n == 0)
		return cut_short(s, e);
	p->pos += (size_t)n;
	if (p->pos < FRAME_STREAM_HEAD)
		return 0;
	if (frame_stream_check(p->bytes, s->name, e) == -1)
		return -1;
	framebuf_clear(p);
	s->state = FRAMED_FRAMES;
	return 0;
}

static int
read_tail(struct framed *s, struct hp_err *e)
{
	unsigned char byte;
	ssize_t n = read(s->fd, &byte, 1);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "%s", s->name);
	if (n > 0)
		return hp_fail(
		    e, HP_INPUT, "%s: has data after its end frame", s->name);
	s->state = FRAMED_DONE;
	return 0;
}

static int
bad_frame(const struct framed *s, struct hp_err *e, const char *why)
{
	return hp_fail(e, HP_INPUT, "%s: frame %" PRIu64 ": %s", s->name,
	    s->totals.frames, why);
}

static int
take(struct framed *s, struct hp_err *e)
{
	const struct frame *f = &s->buf.frame;

	if (f->number != s->totals.frames)
		return bad_frame(s, e, "the frame before it is missing");
	if (f->type == FRAME_END) {
		if (s->inside)
			return bad_frame(s, e, "ends inside a record");
		if (frame_end_check(framebuf_payload(&s->buf), &s->totals,
			s->name, e) == -1)
			return -1;
		framebuf_clear(&s->buf);
		s->state = FRAMED_TAIL;
		return 0;
	}
	if (f->source != s->me)
		return bad_frame(s, e, "was cut on another node");
	if (f->sublist >= s->nodes)
		return bad_frame(s, e, "its sublist belongs to no node");
	if (s->inside && f->sublist != s->sublist)
		return bad_frame(
		    s, e, "interrupts a record of another sublist");
	frame_count(&s->totals, f);
	s->inside = (f->flags & FRAME_MORE) != 0;
	s->sublist = f->sublist;
	s->ready = true;
	return 0;
}

int
framed_read(struct framed *s, struct hp_err *e)
{
	struct channel in = channel_of(s->fd);

	switch (s->state) {
	case FRAMED_HEAD:
		return read_head(s, e);
	case FRAMED_FRAMES:
		break;
	case FRAMED_TAIL:
		return read_tail(s, e);
	case FRAMED_DONE:
		return 0;
	}
	switch (framebuf_read(&s->buf, &in, s->name, e)) {
	case FRAMEBUF_PART:
		return 0;
	case FRAMEBUF_WHOLE:
		return take(s, e);
	case FRAMEBUF_EOF:
		return cut_short(s, e);
	default:
		return -1;
	}
}

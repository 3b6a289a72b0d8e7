#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "net/framebuf.h"
#include "net/window.h"

int
framebuf_init(struct framebuf *p, struct hp_err *e)
{
	*p = (struct framebuf){ 0 };
	if ((p->bytes = malloc(FRAME_HEAD + FRAME_MAX)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "frame buffer");
	p->payload = framebuf_payload(p);
	return 0;
}

void
framebuf_fini(struct framebuf *p)
{
	free(p->bytes);
	*p = (struct framebuf){ 0 };
}

void
framebuf_swap(struct framebuf *a, struct framebuf *b)
{
	struct framebuf t = *a;

	*a = *b;
	*b = t;
}

void
framebuf_clear(struct framebuf *p)
{
	p->pos = p->len = 0;
	p->payload = framebuf_payload(p);
}

void
framebuf_detach(struct framebuf *p)
{
	if (p->payload != framebuf_payload(p))
		memcpy(framebuf_payload(p), p->payload, p->frame.length);
	p->payload = framebuf_payload(p);
	p->shared = NULL;
}

/*
 * A sender that shares its memory with this process may send, before the head
 * of a frame, a reference to the payload in its shared window. Returns whether
 * the buffer begins with a reference. If so, removes it, so that the buffer
 * begins with the head.
 */
static bool
refers(struct framebuf *p)
{
	size_t at;

	if (p->shared == NULL || p->payload != framebuf_payload(p) ||
	    get32(p->bytes) != WINDOW_REFERS)
		return false;
	at = get32(p->bytes + 4);
	p->payload = p->shared + FRAME_HEAD +
	    (at < WINDOW_BYTES - FRAME_HEAD ? at : WINDOW_BYTES - FRAME_HEAD);
	p->pos -= WINDOW_REFERENCE;
	memmove(p->bytes, p->bytes + WINDOW_REFERENCE, p->pos);
	return true;
}

/*
 * Decodes the head of the frame. If the payload is in the sender's window, the
 * buffer needs only the head.
 */
static int
head(struct framebuf *p, const char *name, struct hp_err *e)
{
	if (frame_decode(p->bytes, &p->frame, name, e) == -1)
		return -1;
	p->len = FRAME_HEAD + p->frame.length;
	if (p->payload == framebuf_payload(p))
		return 0;
	if (p->frame.length > WINDOW_BYTES - (size_t)(p->payload - p->shared))
		return hp_fail(
		    e, HP_INPUT, "%s: a frame outside of its window", name);
	p->pos = p->len;
	return 0;
}

enum framebuf_event
framebuf_read(
    struct framebuf *p, struct channel *c, const char *name, struct hp_err *e)
{
	size_t want = p->len == 0 ? FRAME_HEAD : p->len;
	ssize_t n = channel_read(c, p->bytes + p->pos, want - p->pos);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return FRAMEBUF_PART;
	if (n == 0)
		return FRAMEBUF_EOF;
	if (n == -1) {
		hp_fail_errno(e, HP_IO, "%s", name);
		return FRAMEBUF_BROKEN;
	}
	p->pos += (size_t)n;
	if (p->pos < want)
		return FRAMEBUF_PART;
	if (p->len == 0) {
		if (refers(p))
			return framebuf_read(p, c, name, e);
		if (head(p, name, e) == -1)
			return FRAMEBUF_DAMAGED;
		if (p->pos < p->len)
			return FRAMEBUF_PART;
	}
	if (frame_verify(p->bytes, p->payload, name, e) == -1)
		return FRAMEBUF_DAMAGED;
	return FRAMEBUF_WHOLE;
}

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "net/parcel.h"
#include "net/window.h"

int
parcel_init(struct parcel *p, struct hp_err *e)
{
	*p = (struct parcel){ 0 };
	if ((p->bytes = malloc(FRAME_HEAD + FRAME_MAX)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "frame buffer");
	p->payload = parcel_payload(p);
	return 0;
}

void
parcel_fini(struct parcel *p)
{
	free(p->bytes);
	*p = (struct parcel){ 0 };
}

void
parcel_swap(struct parcel *a, struct parcel *b)
{
	struct parcel t = *a;

	*a = *b;
	*b = t;
}

void
parcel_clear(struct parcel *p)
{
	p->pos = p->len = 0;
	p->payload = parcel_payload(p);
}

void
parcel_settle(struct parcel *p)
{
	if (p->payload != parcel_payload(p))
		memcpy(parcel_payload(p), p->payload, p->frame.length);
	p->payload = parcel_payload(p);
	p->shared = NULL;
}

/*
 * Whether it is a reference to a frame in the sender's window that came: what
 * there is of the head moves to its place.
 */
static bool
refers(struct parcel *p)
{
	size_t at;

	if (p->shared == NULL || p->payload != parcel_payload(p) ||
	    get32(p->bytes) != WINDOW_REFERS)
		return false;
	at = get32(p->bytes + 4);
	p->payload = p->shared + FRAME_HEAD +
	    (at < WINDOW_BYTES - FRAME_HEAD ? at : WINDOW_BYTES - FRAME_HEAD);
	p->pos -= WINDOW_REFERENCE;
	memmove(p->bytes, p->bytes + WINDOW_REFERENCE, p->pos);
	return true;
}

/* The head is there, and the payload if it is the sender's. */
static int
head(struct parcel *p, const char *name, struct hp_err *e)
{
	if (frame_decode(p->bytes, &p->frame, name, e) == -1)
		return -1;
	p->len = FRAME_HEAD + p->frame.length;
	if (p->payload == parcel_payload(p))
		return 0;
	if (p->frame.length > WINDOW_BYTES - (size_t)(p->payload - p->shared))
		return hp_fail(
		    e, HP_INPUT, "%s: a frame outside of its window", name);
	p->pos = p->len;
	return 0;
}

enum parcel_step
parcel_read(
    struct parcel *p, struct channel *c, const char *name, struct hp_err *e)
{
	size_t want = p->len == 0 ? FRAME_HEAD : p->len;
	ssize_t n = channel_read(c, p->bytes + p->pos, want - p->pos);

	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return PARCEL_PART;
	if (n == 0)
		return PARCEL_EOF;
	if (n == -1) {
		hp_fail_errno(e, HP_IO, "%s", name);
		return PARCEL_BROKEN;
	}
	p->pos += (size_t)n;
	if (p->pos < want)
		return PARCEL_PART;
	if (p->len == 0) {
		if (refers(p))
			return parcel_read(p, c, name, e);
		if (head(p, name, e) == -1)
			return PARCEL_DAMAGED;
		if (p->pos < p->len)
			return PARCEL_PART;
	}
	if (frame_verify(p->bytes, p->payload, name, e) == -1)
		return PARCEL_DAMAGED;
	return PARCEL_WHOLE;
}

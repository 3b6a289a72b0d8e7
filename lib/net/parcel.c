#include <errno.h>
#include <stdlib.h>

#include "net/parcel.h"

int
parcel_init(struct parcel *p, struct hp_err *e)
{
	*p = (struct parcel){ 0 };
	if ((p->bytes = malloc(FRAME_HEAD + FRAME_MAX)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "frame buffer");
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
		if (frame_decode(p->bytes, &p->frame, name, e) == -1)
			return PARCEL_DAMAGED;
		p->len = FRAME_HEAD + p->frame.length;
		if (p->pos < p->len)
			return PARCEL_PART;
	}
	if (frame_verify(p->bytes, parcel_payload(p), name, e) == -1)
		return PARCEL_DAMAGED;
	return PARCEL_WHOLE;
}

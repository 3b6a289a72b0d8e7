#ifndef HP_NET_FRAMEBUF_H
#define HP_NET_FRAMEBUF_H

/*
 * A frame that comes in: head and payload in one buffer, and how far it has
 * come.  Parcels change hands by swapping buffers, so that a payload is not
 * copied.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "link/channel.h"
#include "record/frame.h"

struct framebuf {
	unsigned char *bytes; /* FRAME_HEAD and FRAME_MAX */
	/* Behind the head, or where the sender has it. */
	const unsigned char *payload;
	const unsigned char *shared; /* its window, borrowed; NULL: none */
	size_t pos;		     /* bytes that came in, or were handed on */
	size_t len;		     /* of the whole frame, 0 while not known */
	struct frame frame;	     /* decoded, once len is known */
};

int framebuf_init(struct framebuf *, struct hp_err *);
/* Harmless on a zeroed struct. */
void framebuf_fini(struct framebuf *);
void framebuf_swap(struct framebuf *, struct framebuf *);
/* Makes it empty again. */
void framebuf_clear(struct framebuf *);
/* Where to put a payload. */
static inline unsigned char *
framebuf_payload(const struct framebuf *p)
{
	return p->bytes + FRAME_HEAD;
}
/* The sender's window goes: what is still needed of it stays. */
void framebuf_detach(struct framebuf *);

enum framebuf_event {
	FRAMEBUF_PART, /* some came, or nothing was there to read */
	FRAMEBUF_WHOLE,
	FRAMEBUF_EOF,
	FRAMEBUF_BROKEN, /* HP_IO: cannot be read */
	FRAMEBUF_DAMAGED /* HP_INPUT: not what its checksums say */
};

/* One read towards a whole frame. */
enum framebuf_event framebuf_read(
    struct framebuf *, struct channel *, const char *name, struct hp_err *);

#endif

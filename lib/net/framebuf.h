#ifndef HP_NET_FRAMEBUF_H
#define HP_NET_FRAMEBUF_H

/*
 * A buffer for one incoming frame: its head, its payload, and the number of
 * bytes that have arrived. Callers swap buffers instead of copying payloads.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "link/channel.h"
#include "record/frame.h"

struct framebuf {
	unsigned char *bytes; /* FRAME_HEAD + FRAME_MAX */
	/*
	 * Points to the payload: in `bytes` after the head, or in the sender's
	 * window.
	 */
	const unsigned char *payload;
	/*
	 * The sender's window, which this process has mapped as shared memory.
	 * NULL: there is none.
	 */
	const unsigned char *shared;
	/*
	 * number of bytes of the frame that have arrived; after that, number of
	 * its bytes that were passed on
	 */
	size_t pos;
	size_t len; /* length of the whole frame in bytes; 0: not known yet */
	/* the decoded head of the frame; valid when len is known */
	struct frame frame;
};

int framebuf_init(struct framebuf *, struct hp_err *);
/* Harmless on a zeroed struct. */
void framebuf_fini(struct framebuf *);
void framebuf_swap(struct framebuf *, struct framebuf *);
/* Empties the buffer. */
void framebuf_clear(struct framebuf *);
/*
 * Returns where the payload lies if it is stored in this buffer, and not in the
 * shared memory of the sender.
 */
static inline unsigned char *
framebuf_payload(const struct framebuf *p)
{
	return p->bytes + FRAME_HEAD;
}
/*
 * If the payload lies in the sender's window, copies it into the buffer.
 * Afterwards the buffer does not refer to the window.
 */
void framebuf_detach(struct framebuf *);

enum framebuf_event {
	FRAMEBUF_PART, /* the frame is incomplete */
	FRAMEBUF_WHOLE,
	FRAMEBUF_EOF,
	FRAMEBUF_BROKEN, /* HP_IO: a read failed */
	FRAMEBUF_DAMAGED /* HP_INPUT: a checksum does not match */
};

/* Reads once from the channel. */
enum framebuf_event framebuf_read(
    struct framebuf *, struct channel *, const char *name, struct hp_err *);

#endif

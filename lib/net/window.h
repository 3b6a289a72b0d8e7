#ifndef HP_NET_WINDOW_H
#define HP_NET_WINDOW_H

/*
 * The send window: the frames that one receiver has not acknowledged yet.  The
 * frames are sent again when a connection is lost.  A frame is put into the
 * window, then sent, then acknowledged.  The window keeps the frames with these
 * numbers:
 *
 *   first to going - 1   sent, but not acknowledged
 *   going to next - 1    not yet sent completely on this connection
 *
 * The frames are in a ring buffer, each in one piece.  When the ring is empty,
 * the next frame goes to its beginning.  So with a fast receiver the frames
 * stay in the cache.
 *
 * Between processes of one machine, the ring can be in shared memory.  The
 * sender passes the descriptor of this memory with the first bytes on a
 * channel.  When the receiver has mapped the ring, it answers with NOTE_SHARES.
 * From then on, the sender does not write the payload of a frame to the
 * channel.  Instead it writes a reference to the frame in the ring, and the
 * head of the frame:
 *
 *   WINDOW_REFERS:u32 at:u32 head
 */

#include <sys/types.h>

#include <stdbool.h>

#include "base/err.h"
#include "link/channel.h"
#include "record/frame.h"

#define WINDOW_BYTES (4 * (size_t)(FRAME_HEAD + FRAME_MAX))
#define WINDOW_FRAMES 256
/*
 * Maximum number of bytes in use in a shared ring, so that they stay in the
 * processor's cache.
 */
#define WINDOW_SHARED_BYTES ((size_t)1 << 20)
#define WINDOW_REFERS UINT32_MAX /* not a type of a frame */
#define WINDOW_REFERENCE 8	 /* bytes of a reference before the head */

struct window {
	unsigned char *ring; /* WINDOW_BYTES */
	int fd;		     /* of the shared ring; -1: private memory */
	bool offered;	     /* bytes were written, with fd if possible */
	bool shared;	     /* the receiver has mapped the ring */
	/*
	 * the current frame is sent as a reference into the shared window,
	 * without its payload
	 */
	bool refers;
	struct {
		uint32_t at, len;
	} frame[WINDOW_FRAMES]; /* number i at i % WINDOW_FRAMES */
	uint64_t first, going, next;
	size_t kept; /* bytes of all kept frames */
	size_t out;  /* bytes written of frame `going` */
};

/* shares: use shared memory if possible. */
int window_init(struct window *, bool shares, struct hp_err *);
/* Harmless on a zeroed struct. */
void window_fini(struct window *);

/*
 * Returns the address in the window where the caller can write the head of a
 * frame and a payload of `payload` bytes. Returns NULL if the window has no
 * room for it. Then call window_put to add the frame.
 */
unsigned char *window_room(const struct window *, size_t payload);
/*
 * Adds the frame at the place `room`, which window_room returned. The payload
 * may be shorter than the length given to window_room.
 */
void window_put(struct window *, const unsigned char *room, size_t payload);

/* Whether there is anything to write. */
static inline bool
window_waits(const struct window *w)
{
	return w->going < w->next;
}

/*
 * Returns whether the window has so many frames that further frames would not
 * make the exchange faster.
 */
bool window_full(const struct window *);
/* The connection was closed. */
void window_hang_up(struct window *);

/*
 * Writes frames to the connection with one call. Returns the number of bytes, 0
 * if there is nothing to write, or -1 with errno.
 */
ssize_t window_write(struct window *, struct channel *);

/*
 * Removes the frames before number n, which the receiver has acknowledged.
 * Returns -1 if some of them were not written yet.
 */
int window_ack(struct window *, uint64_t n);
/*
 * Starts again from frame n on a new connection. Sets `again` to the number of
 * bytes that will be written a second time. Returns -1 if the window does not
 * have frame n any more.
 */
int window_resume(struct window *, uint64_t n, uint64_t *again);
/* Discards all frames. The next frame gets the number n. */
void window_rewind(struct window *, uint64_t n);

/*
 * The receiver calls this. Maps the shared ring of the sender. Returns NULL if
 * the ring is too small, or if it could shrink: that would end this process by
 * SIGBUS.
 */
const unsigned char *window_map(int fd);
void window_unmap(const unsigned char *);

#endif

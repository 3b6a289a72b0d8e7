#ifndef HP_NET_WINDOW_H
#define HP_NET_WINDOW_H

/*
 * The frames that one node sends to another and that are not acknowledged, to
 * be sent again when a connection is lost.  A frame goes through it in three
 * steps: it is put in, it goes out, it is acknowledged.
 *
 *   first <= going <= next, numbers of frames; those from first on are kept
 *
 * The frames lie in a ring, each in one piece.  An empty ring is begun anew, so
 * that a receiver that keeps up finds the sender's cache warm.
 *
 * Between processes of one machine the ring may be memory that both have: its
 * descriptor goes over the channel beside the first bytes, and once the
 * receiver has told that it mapped it, there goes in place of each frame only
 * what tells where it is, and its head.
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
/* Of a shared one no more waits for the receiver, to stay in caches. */
#define WINDOW_SHARED_BYTES ((size_t)1 << 20)
#define WINDOW_REFERS UINT32_MAX /* no type of a frame */
#define WINDOW_REFERENCE 8

struct window {
	unsigned char *ring; /* WINDOW_BYTES */
	int fd;		     /* of them; -1: they are of this process alone */
	bool offered;	     /* to this connection's receiver, */
	bool shared;	     /* and mapped by it */
	bool refers;	     /* so does what is going */
	struct {
		uint32_t at, len;
	} frame[WINDOW_FRAMES]; /* number i at i % WINDOW_FRAMES */
	uint64_t first, going, next;
	size_t kept; /* bytes of all those that are, */
	size_t out;  /* and of the one that is going, which are out */
};

/* To be shared where it can be. */
int window_init(struct window *, bool shares, struct hp_err *);
/* Harmless on a zeroed struct. */
void window_fini(struct window *);

/*
 * Room for a frame with a payload of so many bytes: its head.  NULL while there
 * is none.  Nothing is taken before window_put.
 */
unsigned char *window_room(const struct window *, size_t payload);
/* The frame that was made in that room, with no more payload than was asked
 * for: for less of it the room could be elsewhere by now. */
void window_put(struct window *, const unsigned char *room, size_t payload);

/* Whether anything is to go out. */
static inline bool
window_waits(const struct window *w)
{
	return w->going < w->next;
}

/* Whether there is enough on its way for now. */
bool window_full(const struct window *);
/* The connection is another one from now on, if any. */
void window_hang_up(struct window *);

/* One write of it: restarts the bytes, 0 for none now, -1 with errno. */
ssize_t window_write(struct window *, struct channel *);

/*
 * All before frame n are acknowledged.  Returns -1, and does nothing, when not
 * all of them are out, so that this cannot be.
 */
int window_ack(struct window *, uint64_t n);
/*
 * Frame n goes out next, on another connection.  Returns -1 when it is not
 * kept; or else sets `again` to the bytes that had gone out already.
 */
int window_resume(struct window *, uint64_t n, uint64_t *again);
/* Nothing is kept, and frame n is put in next. */
void window_rewind(struct window *, uint64_t n);

/*
 * The receiver's side of it.  Maps what came: NULL when it is no window that
 * would stay as it is.
 */
const unsigned char *window_map(int fd);
void window_unmap(const unsigned char *);

#endif

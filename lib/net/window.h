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
 */

#include <sys/types.h>

#include <stdbool.h>

#include "base/err.h"
#include "net/channel.h"
#include "record/frame.h"

#define WINDOW_BYTES (4 * (size_t)(FRAME_HEAD + FRAME_MAX))
#define WINDOW_FRAMES 256

struct window {
	unsigned char *ring; /* WINDOW_BYTES */
	struct {
		uint32_t at, len;
	} frame[WINDOW_FRAMES]; /* number i at i % WINDOW_FRAMES */
	uint64_t first, going, next;
	size_t out; /* bytes of the one that is going */
};

int window_init(struct window *, struct hp_err *);
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

/* One write of it: returns the bytes, 0 for none now, -1 with errno. */
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

#endif

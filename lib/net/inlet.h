#ifndef HP_NET_INLET_H
#define HP_NET_INLET_H

/*
 * The session with one sender, on the receiving side. It holds one frame, which
 * arrives and then waits until the sink has written it. Notes go back to the
 * sender. If the connection is lost, a new one replaces it and the session
 * continues. The session of this node with itself has no connection: its frames
 * come through the local queue.
 */

#include "net/framebuf.h"
#include "net/unreached.h"
#include "net/wire.h"

enum inlet_state {
	INLET_OPEN,
	/* all frames of the sender have arrived, up to its end frame */
	INLET_ENDED,
	/* the sink (the output) has written all data of the sender */
	INLET_SETTLED,
	/*
	 * the message that all data are stored was sent to the sender, or is
	 * queued
	 */
	INLET_TOLD,
	/*
	 * the sender has said bye, or this node no longer waits for the sender
	 */
	INLET_CLOSED
};

struct inlet {
	uint32_t rank; /* of the sender */
	const char *name;
	enum inlet_state state;

	/*
	 * While `ready` is set, `pos` is the number of bytes of the frame that
	 * the sink has written.
	 */
	struct framebuf buf;
	bool ready; /* a whole frame waits for the sink */
	struct frame_totals totals;
	bool inside;	  /* the last frame ends inside a record */
	uint32_t damaged; /* damaged frames since the last good one */

	struct channel channel; /* CHANNEL_NONE: not connected */
	uint64_t run;		/* of the sender's process; 0: none yet */
	/* the sender has a spool, so it is restarted if it is killed */
	bool restarts;
	uint32_t attempt; /* number of the sender's attempt */
	/* why the connection was lost; NULL: it was not lost */
	const char *why;
	double heard_s; /* when anything arrived last */

	unsigned char out[2 * NOTE_MAX]; /* queued notes */
	uint32_t out_len;
	uint64_t told;	 /* frames that were acknowledged */
	uint32_t untold; /* bytes passed on since then */
	uint32_t passed; /* value of the last `passed` note */
	double told_s;	 /* when the last note was queued */
};

int
inlet_init(struct inlet *, uint32_t rank, const char *name, struct hp_err *);
void inlet_fini(struct inlet *);

/* Whether there is room for a frame. */
static inline bool
inlet_room(const struct inlet *i)
{
	return i->state == INLET_OPEN && !i->ready;
}

/* Number of the next frame. */
static inline uint64_t
inlet_next(const struct inlet *i)
{
	return i->totals.frames + (i->state >= INLET_ENDED);
}

/* Replaces the connection. */
void inlet_connect(struct inlet *, struct channel);
/* Closes the connection. */
void inlet_hang_up(struct inlet *);

enum inlet_event {
	INLET_HEARD, /* bytes arrived; a frame may be complete */
	INLET_NOTHING,
	INLET_LOST,   /* the connection was lost */
	INLET_DAMAGED /* a checksum does not match; the error describes it */
};

/*
 * Reads from the connection at most one frame. Returns the event. Returns -1
 * with HP_INPUT when the frame is not the next one of the session.
 */
int inlet_read(struct inlet *, uint32_t me, struct hp_err *);
/*
 * The caller must call this after it has put a frame from the local queue into
 * `buf`.
 */
void inlet_arrived(struct inlet *);
/*
 * The caller must call this when the sink has written the frame. Returns
 * whether to acknowledge frames now.
 */
bool inlet_taken(struct inlet *);

/*
 * Queues a note (a small message) to the sender. Returns whether the queue had
 * room.
 */
bool inlet_note(struct inlet *, enum note_type, uint64_t value, const char *);
/*
 * Queues a note to the sender that acknowledges all frames that were passed on
 * to the sink.
 */
void inlet_tell(struct inlet *);
/* Writes queued notes to the sender. Returns -1 when the connection is lost. */
int inlet_flush(struct inlet *);

/*
 * Returns why the sender is silent. Call this function only for a silent
 * sender.
 */
enum unreached_why inlet_unreached(const struct inlet *);

#endif

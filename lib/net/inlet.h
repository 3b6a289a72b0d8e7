#ifndef HP_NET_INLET_H
#define HP_NET_INLET_H

/*
 * The receiving end of a pair of nodes: one frame at a time comes in and waits
 * for the sink, notes go back.  Connections come and go, what came stays.  What
 * a node keeps for itself comes the same way, without a connection.
 */

#include "net/framebuf.h"
#include "net/unreached.h"
#include "net/wire.h"

enum inlet_state {
	INLET_OPEN,
	INLET_ENDED,   /* the end came, and all before it */
	INLET_SETTLED, /* and the sink has done with it */
	INLET_TOLD,    /* and the sender is told so */
	INLET_CLOSED   /* and has heard it */
};

struct inlet {
	uint32_t rank; /* of the sender */
	const char *name;
	enum inlet_state state;

	struct framebuf buf; /* when ready, pos is how far it is written */
	bool ready;	     /* a whole frame waits for the sink */
	struct frame_totals totals;
	bool inside;	  /* a record goes on */
	uint32_t damaged; /* frames since the last that was not */

	struct channel channel; /* CHANNEL_NONE: not connected */
	uint64_t run;		/* of the sender's process; 0: none yet */
	bool restarts;		/* if that is killed, another one comes */
	uint32_t attempt;	/* of its attempts, the one that was answered */
	const char *why;	/* the connection was lost, NULL if not */
	double heard_s;

	unsigned char out[2 * NOTE_MAX]; /* notes that are not out yet */
	uint32_t out_len;
	uint64_t told;	 /* frames that were acknowledged, */
	uint32_t untold; /* and bytes handed on since */
	uint32_t passed; /* machines that we have told to have passed */
	double told_s;
};

int
inlet_init(struct inlet *, uint32_t rank, const char *name, struct hp_err *);
void inlet_fini(struct inlet *);

/* Whether there is room for a frame to come. */
static inline bool
inlet_room(const struct inlet *i)
{
	return i->state == INLET_OPEN && !i->ready;
}

/* Number of the frame that is to come next. */
static inline uint64_t
inlet_next(const struct inlet *i)
{
	return i->totals.frames + (i->state >= INLET_ENDED);
}

/* A connection in place of the one that there was. */
void inlet_connect(struct inlet *, struct channel);
/* The connection is of no use. */
void inlet_hang_up(struct inlet *);

enum inlet_event {
	INLET_HEARD, /* something came, perhaps what makes a frame whole */
	INLET_NOTHING,
	INLET_LOST,   /* the connection broke */
	INLET_DAMAGED /* or what came is not what was sent: the error is set */
};

/*
 * One frame, or a part of it.  Returns the event, or -1: HP_INPUT from a frame
 * that is not the one that must come next.
 */
int inlet_read(struct inlet *, uint32_t me, struct hp_err *);
/* The same for a parcel of this node's own, which is in its place. */
void inlet_arrived(struct inlet *);
/* The sink has taken the frame.  Returns whether that is to be told. */
bool inlet_taken(struct inlet *);

/* Queue a note, if there is room for it: restarts whether there was. */
bool inlet_note(struct inlet *, enum note_type, uint64_t value, const char *);
/* Queue the note that tells what was handed on. */
void inlet_tell(struct inlet *);
/* Write what is queued.  Returns -1 when the connection broke. */
int inlet_flush(struct inlet *);

/* Why the sender is not heard, when it is not. */
enum unreached_why inlet_unreached(const struct inlet *);

#endif

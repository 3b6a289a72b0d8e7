#ifndef HP_NET_INLET_H
#define HP_NET_INLET_H

/*
 * The receiving end of a connection: one frame at a time comes in and waits
 * for the sink, notes go back.  What a node keeps for itself comes the same
 * way, without a connection.
 */

#include "net/parcel.h"
#include "net/wire.h"

enum inlet_state {
	INLET_APART, /* not connected yet */
	INLET_OPEN,
	INLET_ENDED,   /* the end came, and all before it */
	INLET_SETTLED, /* and the sink has done with it */
	INLET_CLOSED   /* and the sender knows */
};

struct inlet {
	uint32_t rank; /* of the sender */
	const char *name;
	struct channel channel;
	enum inlet_state state;
	struct parcel parcel; /* when ready, pos is how far it is written */
	bool ready;	      /* a whole frame waits for the sink */
	struct frame_totals totals;
	bool inside;			 /* a record goes on */
	unsigned char out[2 * NOTE_MAX]; /* notes that are not out yet */
	uint32_t out_len;
	double heard_s, told_s;
};

int
inlet_init(struct inlet *, uint32_t rank, const char *name, struct hp_err *);
void inlet_fini(struct inlet *);

/*
 * One read(2).  Returns a step as parcel_read does, or -1: HP_INPUT from a
 * frame that is not the one that must come next.  After PARCEL_WHOLE either
 * `ready` is set or the end has come.
 */
int inlet_read(struct inlet *, uint32_t me, struct hp_err *);
/* The same for a parcel of this node's own, which is taken over. */
void inlet_put(struct inlet *, struct parcel *);

/* Whether there is room for a frame to come. */
static inline bool
inlet_room(const struct inlet *i)
{
	return i->state == INLET_OPEN && !i->ready;
}

/* Queue a note, if there is room for it. */
void inlet_note(struct inlet *, enum note_type, uint64_t value, const char *);
/* Write what is queued.  Returns -1 when the other end is gone. */
int inlet_flush(struct inlet *);
/* When the sender was told that all is stored. */
void inlet_close(struct inlet *);

#endif

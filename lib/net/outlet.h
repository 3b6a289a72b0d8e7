#ifndef HP_NET_OUTLET_H
#define HP_NET_OUTLET_H

/*
 * The sending end of a connection: one frame at a time goes out, notes come
 * back.
 */

#include <sys/types.h>

#include "net/parcel.h"
#include "net/wire.h"

enum outlet_state {
	OUTLET_APART,	 /* not connected yet */
	OUTLET_GREETING, /* said hello, waits for the answer */
	OUTLET_OPEN,
	OUTLET_STORED /* the receiver has handed on all; closed */
};

struct outlet {
	uint32_t rank; /* of the receiver */
	const char *name;
	struct channel channel;
	enum outlet_state state;
	struct parcel parcel;	    /* len 0: there is room for a frame */
	struct frame_totals totals; /* of the frames put in */
	bool inside;		    /* the last one's record goes on */
	bool ended;		    /* the end was put in */
	unsigned char in[NOTE_MAX]; /* the answer and notes as they come */
	uint32_t have;
	double heard_s, wrote_s;
};

/* What came back. */
enum outlet_event {
	OUTLET_NOTHING,
	OUTLET_HEARD,	/* it lives */
	OUTLET_REFUSED, /* note.value is the verdict */
	OUTLET_ALL,	/* all is stored */
	OUTLET_QUIT,	/* the note says why */
	OUTLET_EOF
};

/* From node me to node rank. */
int outlet_init(struct outlet *, uint32_t me, uint32_t rank, const char *name,
    struct hp_err *);
void outlet_fini(struct outlet *);

/* A fresh connection: says hello.  Returns -1 when the other end is gone. */
int outlet_greet(struct outlet *, struct channel, const struct hello *mine);

static inline bool
outlet_room(const struct outlet *o)
{
	return o->parcel.len == 0 && !o->ended;
}

/* Take over a filled parcel for an empty one; numbers the frame anew. */
void outlet_put(struct outlet *, struct parcel *);
/* The last frame: totals of all before it. */
void outlet_end(struct outlet *);
/* An empty frame, where nothing else is to be sent, tells that we live. */
void outlet_beat(struct outlet *);
/* Whether write has something to do. */
bool outlet_busy(const struct outlet *);
/* Returns the bytes that went out, 0 for none, -1 when the other end is gone.
 */
ssize_t outlet_write(struct outlet *);

/*
 * One thing that came back; to be called until it says OUTLET_NOTHING or
 * OUTLET_EOF.  Returns the event, or -1: HP_INPUT from a peer that breaks the
 * rules.
 */
int outlet_read(
    struct outlet *, const struct hello *mine, struct note *, struct hp_err *);

#endif

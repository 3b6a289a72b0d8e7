#ifndef HP_NET_OUTLET_H
#define HP_NET_OUTLET_H

/*
 * The sending end of a pair of nodes: frames go out and are kept until they are
 * acknowledged, notes come back.  Connections come and go (calling.c), the
 * frames and their numbers stay.
 */

#include "net/handshake.h"
#include "net/retrypolicy.h"
#include "link/loginorder.h"
#include "net/unreached.h"
#include "net/window.h"

#define OUTLET_ATTEMPTS 4 /* under way at a time */

enum outlet_state {
	OUTLET_OPEN,
	OUTLET_LEAVING, /* the receiver has stored all: to say goodbye, and
			   if it goes on when killed, to hear that it knows */
	OUTLET_DONE
};

struct outlet {
	uint32_t rank; /* of the receiver */
	const char *name;
	enum outlet_state state;

	struct window window;
	struct frame_totals totals; /* of the frames put in */
	bool inside;		    /* the last one's record goes on */
	bool ended;		    /* the end was put in */
	uint32_t source, sublist;   /* of all of them */

	struct channel channel;	    /* CHANNEL_NONE: not connected */
	unsigned char in[NOTE_MAX]; /* notes as they come */
	uint32_t have;
	unsigned char bye[NOTE_MAX];
	uint32_t bye_len; /* what is left of it */
	double heard_s, wrote_s;

	uint64_t run;		 /* of the receiver's process; 0: none yet */
	bool restarts;		 /* if that is killed, another one comes */
	bool stored;		 /* so it told before: it needs but our bye */
	struct login_order turn; /* to log in there */
	uint32_t passed;	 /* how many machines it has passed */
	struct handshake attempt[OUTLET_ATTEMPTS];
	uint32_t attempts;  /* so far; */
	uint32_t answered;  /* the one that became the connection, */
	uint32_t failed;    /* how many before the first, */
	uint32_t fruitless; /* and since the last note */
	uint32_t invalid;   /* answers that are none, or of another version */
	const char *why;    /* the connection was lost, NULL if silent */
	bool suspected;	    /* it was silent: is to be replaced */
	double lost_s;	    /* when either began */
	int errnum;	    /* errno of the last try to call; 0: none */
	double attempted_s, next_s; /* the last call, the next one */
	struct retry_policy retry;
	double nap_s, absent_s; /* while nobody is there */
};

/* What came back. */
enum outlet_event {
	OUTLET_NOTHING,
	OUTLET_HEARD,  /* a note: it lives */
	OUTLET_ALL,    /* all is stored */
	OUTLET_PARTED, /* it has our bye */
	OUTLET_QUIT,   /* the note says why */
	OUTLET_LOST,   /* the connection broke */
	OUTLET_DAMAGED /* or what came is no note */
};

/* From node me to node rank. */
int outlet_init(struct outlet *, uint32_t me, uint32_t rank, const char *name,
    bool shares, struct hp_err *);
/* Harmless on a zeroed struct. */
void outlet_fini(struct outlet *);

/*
 * Where to put the payload of the next frame, so many bytes; NULL while there
 * is no room for it.
 */
unsigned char *outlet_room(const struct outlet *, size_t payload);
/* It is there, or less of it: numbers the frame, which may go out. */
void outlet_put(struct outlet *, unsigned char *payload, const struct frame *);
/* The last frame: totals of all before it.  Does nothing without room. */
void outlet_end(struct outlet *);
/*
 * Forget what is kept, and go on after so many frames, which the receiver has.
 */
void outlet_rewind(
    struct outlet *, const struct frame_totals *, bool inside, bool ended);
/* An empty frame, where nothing else is to be sent, tells that we live. */
void outlet_beat(struct outlet *);

/* Whether write has something to do. */
bool outlet_busy(const struct outlet *);
/* Returns the bytes that went out, 0 for none, -1 when the connection broke. */
ssize_t outlet_write(struct outlet *);

/*
 * One thing that came back; to be called until it says OUTLET_NOTHING, or that
 * the connection is of no use.  Returns the event, or -1: HP_INPUT from a peer
 * that breaks the rules.
 */
int outlet_read(struct outlet *, struct note *, struct hp_err *);
/* The connection is of no use. */
void outlet_hang_up(struct outlet *);

/* Why the receiver is not reached, when it is not. */
enum unreached_why outlet_unreached(const struct outlet *);

#endif

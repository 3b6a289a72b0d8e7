#ifndef HP_NET_OUTLET_H
#define HP_NET_OUTLET_H

/*
 * The session with one receiver, on the sending side.  Frames are sent and kept
 * in the window until they are acknowledged; notes come back.  Connections may
 * be lost and replaced (connect.h), the frames and their numbers stay.
 */

#include "link/loginorder.h"
#include "net/handshake.h"
#include "net/retrypolicy.h"
#include "net/unreached.h"
#include "net/window.h"

#define OUTLET_ATTEMPTS 4  /* pending at a time */
#define OUTLET_AGAIN_S 1.0 /* between two of them, in general at least */

enum outlet_state {
	OUTLET_OPEN,
	/*
	 * The receiver has stored all.  It must be sent the bye.  If it is
	 * restarted when killed, it must also answer it.
	 */
	OUTLET_LEAVING,
	OUTLET_DONE
};

struct outlet {
	uint32_t rank; /* of the receiver */
	const char *name;
	enum outlet_state state;

	struct window window;
	struct frame_totals totals; /* of the frames put into the window */
	bool inside;		    /* the last one ends inside a record */
	bool ended;		    /* the end frame was put */
	uint32_t source, sublist;   /* in the head of each frame */

	/* The connection: */
	struct channel channel;	    /* CHANNEL_NONE: not connected */
	unsigned char in[NOTE_MAX]; /* an incomplete note */
	uint32_t have;
	unsigned char bye[NOTE_MAX];
	uint32_t bye_len;  /* bytes of the bye still to be written */
	double heard_s;	   /* when a note arrived last */
	double wrote_s;	   /* when frames were written last */
	const char *why;   /* the connection was lost; NULL: it was not */
	bool suspected;	   /* it was silent and is to be replaced */
	double lost_s;	   /* when it was lost, or heard last if suspected */
	uint32_t answered; /* number of the attempt that became it */

	/* The receiver: */
	uint64_t run;	 /* of its process; 0: never connected */
	bool restarts;	 /* it is restarted when killed */
	bool stored;	 /* it said before that all is stored: send the bye */
	uint32_t passed; /* value of its last `passed` note */

	/* Connection attempts: */
	struct login_order turn; /* of the login there */
	struct handshake attempt[OUTLET_ATTEMPTS];
	uint32_t attempts;  /* so far */
	uint32_t failed;    /* attempts before the first connection */
	uint32_t fruitless; /* connections since the last note */
	uint32_t invalid;   /* answers that were invalid or another version */
	int errnum;	    /* of the last failed attempt; 0: none */
	double attempted_s, next_s; /* times of the last and next attempt */
	struct retry_policy retry;
	double nap_s;	 /* delay while no process listens there */
	double absent_s; /* since when a process has ended; 0: it has not */
};

/* What outlet_read found. */
enum outlet_event {
	OUTLET_NOTHING,
	OUTLET_HEARD,  /* a note */
	OUTLET_ALL,    /* a note: all is stored */
	OUTLET_PARTED, /* a note: the bye has arrived */
	OUTLET_QUIT,   /* a note: the receiver gives up, and why */
	OUTLET_LOST,   /* the connection was lost */
	OUTLET_DAMAGED /* the bytes are no valid note */
};

/* The session from node `me` to node `rank`. */
int outlet_init(struct outlet *, uint32_t me, uint32_t rank, const char *name,
    bool shares, struct hp_err *);
/* Harmless on a zeroed struct. */
void outlet_fini(struct outlet *);

/* The place for a payload of that many bytes; NULL: no room. */
unsigned char *outlet_room(const struct outlet *, size_t payload);
/*
 * Puts the frame, whose payload was written to that place and may be shorter
 * than it, and gives it the next number.
 */
void outlet_put(struct outlet *, unsigned char *payload, const struct frame *);
/* Puts the end frame, if there is room. */
void outlet_end(struct outlet *);
/*
 * Discards the window and continues behind those frames, which the receiver
 * has.
 */
void outlet_rewind(
    struct outlet *, const struct frame_totals *, bool inside, bool ended);
/* Heartbeat: puts an empty frame, if there is room. */
void outlet_beat(struct outlet *);

/* Whether there is anything to write. */
bool outlet_busy(const struct outlet *);
/* Returns the bytes written, 0 for none, -1 when the connection is lost. */
ssize_t outlet_write(struct outlet *);

/*
 * Reads a note.  Call it until it returns OUTLET_NOTHING, or the connection is
 * lost.  Returns the event, or -1 with HP_INPUT when the receiver breaks the
 * protocol.
 */
int outlet_read(struct outlet *, struct note *, struct hp_err *);
/* Closes the connection. */
void outlet_hang_up(struct outlet *);
/* Closes the connection and all attempts. */
void outlet_close_all(struct outlet *);

/* Why the receiver is not reached, given that it is not. */
enum unreached_why outlet_unreached(const struct outlet *);

#endif

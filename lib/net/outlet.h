#ifndef HP_NET_OUTLET_H
#define HP_NET_OUTLET_H

/*
 * The session with one receiver, on the sending side. The window keeps sent
 * frames until the receiver acknowledges them by notes. If the connection is
 * lost, a new connection (connect.h) continues the session with the same frame
 * numbers.
 */

#include "link/loginorder.h"
#include "net/handshake.h"
#include "net/retrypolicy.h"
#include "net/unreached.h"
#include "net/window.h"

#define OUTLET_ATTEMPTS 4  /* pending at a time */
#define OUTLET_AGAIN_S 1.0 /* usual time between two attempts */

enum outlet_state {
	OUTLET_OPEN,
	/*
	 * The receiver has stored all data, and this node must still send its
	 * last message, the bye. If the receiver has a spool (a directory for
	 * restarts), it must also answer the bye.
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
	uint32_t source, sublist;   /* members of the head of each frame */

	/* The connection: */
	struct channel channel;	    /* CHANNEL_NONE: not connected */
	unsigned char in[NOTE_MAX]; /* an incomplete note */
	uint32_t have;
	unsigned char bye[NOTE_MAX];
	/*
	 * number of bytes of the last message (the bye) that are still to be
	 * written
	 */
	uint32_t bye_len;
	double heard_s; /* when a note arrived last */
	double wrote_s; /* when frames were written last */
	/* why the connection was lost; NULL: it was not lost */
	const char *why;
	/*
	 * the connection was silent for too long, so a new connection will
	 * replace it
	 */
	bool suspected;
	/*
	 * The time at which the connection was lost. While the connection is
	 * only suspected to be lost, this is the time at which the receiver was
	 * last heard.
	 */
	double lost_s;
	/* number of the attempt that became this connection */
	uint32_t answered;

	/* The receiver: */
	uint64_t run;  /* of its process; 0: never connected */
	bool restarts; /* it is restarted when killed */
	/*
	 * On an earlier connection, the receiver said that it has stored
	 * everything. So this node must send the bye.
	 */
	bool stored;
	uint32_t passed; /* value of its last `passed` note */

	/* Connection attempts: */
	/* when this node may log in at the receiver's machine */
	struct login_order turn;
	struct handshake attempt[OUTLET_ATTEMPTS];
	uint32_t attempts;  /* so far */
	uint32_t failed;    /* attempts before the first connection */
	uint32_t fruitless; /* connections since the last note */
	uint32_t invalid;   /* answers that were invalid or another version */
	int errnum;	    /* of the last failed attempt; 0: none */
	double attempted_s, next_s; /* times of the last and next attempt */
	struct retry_policy retry;
	double nap_s; /* delay while no process listens there */
	/*
	 * time since which no process listens at the receiver; 0: a process
	 * listens
	 */
	double absent_s;
};

/* What outlet_read found. */
enum outlet_event {
	OUTLET_NOTHING,
	OUTLET_HEARD,  /* a note */
	OUTLET_ALL,    /* a note: all is stored */
	OUTLET_PARTED, /* a note: the bye has arrived */
	OUTLET_QUIT,   /* a note says that the receiver gives up, and why */
	OUTLET_LOST,   /* the connection was lost */
	OUTLET_DAMAGED /* the bytes are no valid note */
};

/* Starts the session of node `me` with the receiver `rank`. */
int outlet_init(struct outlet *, uint32_t me, uint32_t rank, const char *name,
    bool shares, struct hp_err *);
/* Harmless on a zeroed struct. */
void outlet_fini(struct outlet *);

/*
 * Returns the place in the window for a payload of that many bytes. Returns
 * NULL if the window has no room.
 */
unsigned char *outlet_room(const struct outlet *, size_t payload);
/*
 * Puts a frame into the window of frames to send, and numbers it. The caller
 * has got `payload` from outlet_room and has filled it. The payload may be
 * shorter than the room requested.
 */
void outlet_put(struct outlet *, unsigned char *payload, const struct frame *);
/*
 * Puts the end frame, which follows all other frames, into the window, if there
 * is room.
 */
void outlet_end(struct outlet *);
/*
 * Drops all frames from the window. The receiver already has as many frames,
 * records and bytes as the totals say. The next frame sent follows these.
 */
void outlet_rewind(
    struct outlet *, const struct frame_totals *, bool inside, bool ended);
/* Puts an empty frame into the window as a heartbeat, if there is room. */
void outlet_beat(struct outlet *);

/* Whether there is anything to write. */
bool outlet_busy(const struct outlet *);
/*
 * Writes to the connection. Returns the number of bytes, or -1 when the
 * connection is lost.
 */
ssize_t outlet_write(struct outlet *);

/*
 * Reads a note from the receiver. Call it until it returns OUTLET_NOTHING or
 * the connection is lost. Returns the event. Returns -1 with HP_INPUT when the
 * receiver breaks the protocol.
 */
int outlet_read(struct outlet *, struct note *, struct hp_err *);
/* Closes the connection. */
void outlet_hang_up(struct outlet *);
/* Closes the connection and all attempts. */
void outlet_close_all(struct outlet *);

/*
 * Returns why the receiver is not reached. Call this function only for a
 * receiver that is not reached.
 */
enum unreached_why outlet_unreached(const struct outlet *);

#endif

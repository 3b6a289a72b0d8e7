#ifndef HP_NET_SENDING_H
#define HP_NET_SENDING_H

/*
 * The sending half of an exchange. Connects to the receivers (connect.h) and
 * moves frames from the input (fill.h) through the outlets, the sessions with
 * the receivers.
 */

#include "net/engine.h"
#include "net/framed.h"
#include "net/outlet.h"

struct sending {
	struct engine *en;
	struct outlet *outlet; /* by rank; this node's is unused */
	struct framed framed;  /* the input, if it is a stream */
	struct parts parts;    /* the input, if it is a file */
	/*
	 * buffer for the frames that this node reads from the file and sends to
	 * itself
	 */
	struct framebuf spare;
	/* the local queue has all frames of this node to itself */
	bool local_ended;
	double clock_s;	 /* now; set before each turn */
	double tended_s; /* when transport.tend was called last */
	double noted_s;	 /* when unreached receivers were reported last */
	struct failure failure;
};

/* Prepares to send. Call the close function even if this fails. */
int sending_open(struct sending *, struct engine *, struct hp_err *);
void sending_close(struct sending *);

/* Closes all connections and attempts. Used when this node gives up. */
void sending_hang_up(struct sending *);

/* Returns how many elements of the poll(2) set sending uses. */
size_t sending_fds(const struct engine *);
/*
 * Does all work that is possible without waiting. Fills in the poll(2) set.
 * Lowers *wait_s to the seconds until the next deadline.
 */
int sending_turn(
    struct sending *, struct pollfd *, double *wait_s, struct hp_err *);
/* After poll(2): handles what is ready. */
int sending_serve(struct sending *, const struct pollfd *, struct hp_err *);
/*
 * Returns whether everything was sent, and all receivers have stored
 * everything.
 */
bool sending_done(const struct sending *);

#endif

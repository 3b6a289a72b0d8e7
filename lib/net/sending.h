#ifndef HP_NET_SENDING_H
#define HP_NET_SENDING_H

/*
 * The half of an exchange that sends: from the input to the outlets, and the
 * connections that it takes.  sending.c moves frames, calling.c connects.
 */

#include "net/engine.h"
#include "net/framed.h"
#include "net/outlet.h"

struct sending {
	struct engine *en;
	struct outlet *outlet; /* by rank; this node's own is not used */
	struct framed framed;  /* the input, this one or the next */
	struct parts parts;
	struct parcel spare; /* of the parts, for this node itself */
	bool own_ended;
	double clock_s;	 /* set before each turn */
	double tended_s; /* when the door was */
	double noted_s;	 /* when peers that are not reached were */
	struct blame blame;
};

/* Harmless to close, whatever open did. */
int sending_open(struct sending *, struct engine *, struct hp_err *);
void sending_close(struct sending *);

/* Connections and calls: for who gives up. */
void sending_hang_up(struct sending *);

/* How many descriptors it waits for. */
size_t sending_fds(const struct engine *);
/*
 * What can be done without waiting, then what to wait for: fills in the
 * descriptors, and lowers wait_s to the time until something is due.
 */
int sending_turn(
    struct sending *, struct pollfd *, double *wait_s, struct hp_err *);
/* What came. */
int sending_serve(struct sending *, const struct pollfd *, struct hp_err *);
/* Whether all is sent and stored. */
bool sending_done(const struct sending *);

/* calling.c: calls where there is no connection, or one that is silent. */
int calling_open(struct sending *, struct hp_err *);
int calling_turn(struct sending *, double *wait_s, struct hp_err *);
/* A sign of life came on the connection. */
void calling_heard(const struct sending *, struct outlet *);
/* Something came in answer to a call. */
int calling_hear(
    struct sending *, struct outlet *, struct greeting *, struct hp_err *);

#endif

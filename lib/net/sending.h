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
	struct framebuf spare; /* of the parts, for this node itself */
	bool local_ended;
	double clock_s;	 /* set before each turn */
	double tended_s; /* when the door was */
	double noted_s;	 /* when peers that are not reached were */
	struct failure failure;
};

/* Harmless to close, whatever open did. */
int sending_open(struct sending *, struct engine *, struct hp_err *);
void sending_close(struct sending *);

/* Connections and attempts: for who gives up. */
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

/* calling.c: attempts where there is no connection, or one that is silent. */
int connect_init(struct sending *, struct hp_err *);
int connect_turn(struct sending *, double *wait_s, struct hp_err *);
/* A sign of life came on the connection. */
void connect_heard(const struct sending *, struct outlet *);
/* Something came in answer to a call. */
int connect_answer(
    struct sending *, struct outlet *, struct handshake *, struct hp_err *);

#endif

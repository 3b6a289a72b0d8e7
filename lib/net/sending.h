#ifndef HP_NET_SENDING_H
#define HP_NET_SENDING_H

/*
 * The sending half of an exchange: it connects to the receivers (connect.h) and
 * moves frames from the input (fill.h) through the outlets to them.
 */

#include "net/engine.h"
#include "net/framed.h"
#include "net/outlet.h"

struct sending {
	struct engine *en;
	struct outlet *outlet; /* by rank; this node's is unused */
	struct framed framed;  /* the input, if it is a stream */
	struct parts parts;    /* the input, if it is a file */
	struct framebuf spare; /* for frames of the file for this node itself */
	bool local_ended;      /* the local queue has all of them */
	double clock_s;	       /* now; set before each turn */
	double tended_s;       /* when transport.tend was called last */
	double noted_s;	       /* when unreached receivers were reported last */
	struct failure failure;
};

/* After a failed open, close is needed too. */
int sending_open(struct sending *, struct engine *, struct hp_err *);
void sending_close(struct sending *);

/* Closes all connections and attempts, when this node gives up. */
void sending_hang_up(struct sending *);

/* How many elements of the poll(2) set it needs. */
size_t sending_fds(const struct engine *);
/*
 * Before poll(2): does what needs no waiting, and fills in the set.  Lowers
 * wait_s to the time until something is due.
 */
int sending_turn(
    struct sending *, struct pollfd *, double *wait_s, struct hp_err *);
/* After poll(2): handles what is ready. */
int sending_serve(struct sending *, const struct pollfd *, struct hp_err *);
/* Whether all is sent, and stored by the receivers. */
bool sending_done(const struct sending *);

#endif

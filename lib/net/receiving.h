#ifndef HP_NET_RECEIVING_H
#define HP_NET_RECEIVING_H

/*
 * The receiving half of an exchange: it accepts the connections of the senders
 * (accept.h) and moves frames from the inlets to the sink (arrival.h).
 */

#include "net/backlog.h"
#include "net/engine.h"
#include "net/inlet.h"
#include "net/resumelog.h"
#include "net/sink.h"

struct receiving {
	struct engine *en;
	struct inlet *inlet;	/* by rank; this node's has no connection */
	struct resume_log *log; /* by rank; NULL: there is no spool */
	/* buffer to verify frames that an earlier process stored */
	struct framebuf room;
	struct backlog backlog;
	bool backlog_full;
	struct sink sink;
	/*
	 * NOTE_STORED was queued for each sender: the message that all its data
	 * are stored
	 */
	bool told;
	int readers;   /* FIFOs that no reader has opened yet */
	double look_s; /* when to look for their readers again */
	/* delay in seconds until the next check whether FIFOs have a reader */
	double nap_s;
	double clock_s; /* now; set before each turn */
	double noted_s; /* when silent senders were reported last */
	struct failure failure;
};

/* Prepares to receive. Call the close function even if this fails. */
int receiving_open(struct receiving *, struct engine *, struct hp_err *);
void receiving_close(struct receiving *);

/* The same as in sending.h. */
size_t receiving_fds(const struct receiving *);
int receiving_turn(
    struct receiving *, struct pollfd *, double *wait_s, struct hp_err *);
int receiving_serve(struct receiving *, const struct pollfd *, struct hp_err *);
/*
 * Returns whether everything is stored and no sender needs this node any more.
 */
bool receiving_done(const struct receiving *);

#endif

#ifndef HP_NET_RECEIVING_H
#define HP_NET_RECEIVING_H

/*
 * The half of an exchange that receives: from the inlets to the sink, and the
 * connections that come in.  receiving.c moves frames, hosting.c lets in.
 */

#include "net/engine.h"
#include "net/inlet.h"
#include "net/resumelog.h"
#include "net/backlog.h"
#include "net/sink.h"
#include "link/loginorder.h"

struct receiving {
	struct engine *en;
	struct inlet *inlet;	/* by rank; this node's own has no connection */
	struct resume_log *log; /* by rank; NULL: nothing is kept */
	struct framebuf room;	/* to verify what was kept */
	struct backlog backlog;
	struct sink sink;
	bool told;	      /* the senders that all is here */
	bool backlog_full;    /* the backlog, so that nobody can be let in */
	int readers;	      /* of FIFOs that have to be looked for, */
	double look_s, nap_s; /* when, and how long after the last time */
	double clock_s;	      /* set before each turn */
	double noted_s;	      /* when senders that are not heard were */
	struct failure failure;
};

/* Harmless to close, whatever open did. */
int receiving_open(struct receiving *, struct engine *, struct hp_err *);
void receiving_close(struct receiving *);

/* As sending.h has them. */
size_t receiving_fds(const struct engine *);
int receiving_turn(
    struct receiving *, struct pollfd *, double *wait_s, struct hp_err *);
int receiving_serve(struct receiving *, const struct pollfd *, struct hp_err *);
/* Whether all is here, and all others know it, or were waited for in vain. */
bool receiving_done(const struct receiving *);

/* resuming.c: nothing of it does anything where nothing is kept. */

/* Takes up what there is. */
int resume_open(struct receiving *, struct hp_err *);
void resume_close(struct receiving *);
/* A frame is stored. */
int resume_stored(struct receiving *, const struct inlet *, struct hp_err *);
/* All of a sender is stored; it knows that. */
int resume_ended(struct receiving *, const struct inlet *, struct hp_err *);
int resume_bye(struct receiving *, const struct inlet *, struct hp_err *);
/* Whether that one may come back, and does not know that all is stored here. */
bool resume_owes(const struct receiving *, const struct inlet *);
/*
 * Verifies something of what was there before.  Returns whether there is, or
 * -1.
 */
int resume_verify(struct receiving *, const struct inlet *, struct hp_err *);

/* hosting.c */

/* What to poll for guests, -1 while there is no room for any. */
int accept_fd(struct receiving *);
/* Somebody is at the door. */
int accept_new(struct receiving *, struct hp_err *);
/* Perhaps somebody in the backlog spoke. */
void
accept_hello(struct receiving *, struct handshake *, const struct pollfd *);
/* Who says nothing is put out. */
void accept_expire(struct receiving *);
/*
 * Tell the others whose fault it is, and why, that this node gives up: those
 * who are not connected, too, if they come before the door is to close.
 */
void accept_abort(struct receiving *, const struct failure *);

#endif

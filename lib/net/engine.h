#ifndef HP_NET_ENGINE_H
#define HP_NET_ENGINE_H

/*
 * The state of one exchange, for the files of this area: exchange.c begins,
 * polls and ends, links.c keeps up the connections, traffic.c moves frames from
 * the input to the outlets and from the inlets to the sink.
 */

#include <poll.h>

#include "net/exchange.h"
#include "net/framed.h"
#include "net/inlet.h"
#include "net/lobby.h"
#include "net/outlet.h"
#include "net/sink.h"

struct engine {
	const struct exchange *x;
	struct hello mine;
	struct door door;
	struct lobby lobby;
	struct outlet *outlet; /* by rank; this node's own is not used */
	struct inlet *inlet;   /* by rank; this node's own has no connection */
	struct framed framed;  /* the input, this one or the next */
	struct parts parts;
	struct parcel spare; /* between parts and outlets */
	struct sink sink;
	bool committed;
	bool crowded;  /* the lobby, so that nobody can be let in */
	int absent;    /* nodes and readers that have to be looked for */
	double look_s; /* when to look again, */
	double nap_s;  /* and how long after the last time */

	/*
	 * The clock that all deadlines count by.  A turn of the loop moves it
	 * by little, however long it took: for the time in which this process
	 * was stopped, or waited for its disk, nobody else is to blame.
	 */
	double clock_s, looked_s;
	double beat_s; /* from one sign of life to the next */

	uint32_t blamed;	 /* whose failure this is */
	char why[NOTE_TEXT + 1]; /* for the others */
};

/* links.c */

/* Look for nodes that are not connected: returns how many still are not. */
int links_dial(struct engine *, struct hp_err *);
/* What to poll for guests, -1 while there is no room for any. */
int links_door_fd(struct engine *);
/* Somebody is at the door, somebody in the lobby spoke. */
int links_greet(struct engine *, struct hp_err *);
void links_guest(struct engine *, struct guest *, const struct pollfd *);
int links_notes(struct engine *, struct outlet *, struct hp_err *);
int links_flush(struct engine *, struct inlet *, struct hp_err *);
/* Signs of life to all, and who gave none for too long. */
int links_beat(struct engine *, struct hp_err *);
/* A node is lost: finds out why, if it said so.  Returns -1. */
int
links_lost(struct engine *, uint32_t rank, const char *how, struct hp_err *);
/* Tell the others that and why this node gives up. */
void links_quit(struct engine *, const struct hp_err *);

/* traffic.c */

/* From the input to outlets that have room. */
int traffic_fill(struct engine *, struct hp_err *);
int traffic_send(struct engine *, struct outlet *, struct hp_err *);
int traffic_receive(struct engine *, struct inlet *, struct hp_err *);
int traffic_drain(struct engine *, struct inlet *, struct hp_err *);
/* What is to be done once sources have ended. */
int traffic_settle(struct engine *, struct hp_err *);

#endif

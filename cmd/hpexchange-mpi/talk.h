#ifndef HP_CMD_HPEXCHANGE_MPI_TALK_H
#define HP_CMD_HPEXCHANGE_MPI_TALK_H

/*
 * The notes that each two nodes exchange beside the frames: a hello, signs of
 * life, "stored", and at last "bye" or "quit".  They are encoded as in
 * hp-stream(5).
 * | A node sends "stored" to a peer when it has stored the records of all nodes
 * and the peer has received all of its records.  It sends "bye" when both have
 * said "stored".  Until then the peer must give signs of life.  Nothing follows
 * "bye", so no message is left over when MPI ends.
 */

#include <mpi.h>

#include "net/wire.h"
#include "watchdog.h"

struct talk_peer {
	unsigned char in[NOTE_MAX], out[NOTE_MAX];
	uint32_t quit_len; /* length of the note in `quit`; 0: none */
	unsigned char quit[NOTE_MAX];
	bool greets;	/* this node has sent its hello */
	bool greeted;	/* the peer's hello has arrived */
	bool may_close; /* this node may send "stored" */
	bool closes;	/* this node has sent "stored" */
	bool told;	/* this node has sent "bye" or "quit" */
	bool stored;	/* the peer's "stored" has arrived */
	bool parted;	/* the peer's "bye" has arrived */
	double said_s;	/* when this node sent its last note */
};

struct talk {
	uint32_t nodes, me;
	struct hello hello; /* ours */
	const char *const *name;
	struct watch *watch;
	double beat_s; /* seconds between signs of life */
	bool quit;     /* a peer has sent "quit" */
	struct talk_peer *peer;
	/* MPI requests: for each peer, a send and a receive */
	MPI_Request *request;
	MPI_Status *status;
	int *done;
};

int talk_init(struct talk *, const char *const *name, uint32_t nodes,
    uint32_t me, struct watch *, struct hp_err *);
/*
 * Sends and receives notes.  Returns the number of sent and received notes.
 * Returns -1 with HP_LOST when a peer quits, and with HP_INPUT when a peer
 * sends something else than notes of this exchange.
 */
int talk_step(struct talk *, struct hp_err *);
/*
 * Allows the "stored" note to a peer.  Call this when the peer has received all
 * records of this node, and this node has stored the records of all nodes.
 */
void talk_close(struct talk *, uint32_t rank);
/* Returns whether all peers and this node have said "bye". */
bool talk_over(const struct talk *);
/*
 * Ends the notes after a failure.  Tells all peers why this node fails, unless
 * a peer has sent a quit note itself.  Waits until the notes are sent, and then
 * until the peers have printed the reason, a few seconds at most.
 */
void talk_quit(struct talk *, const char *why);
/* Frees the notes and requests.  Does nothing on a zeroed struct. */
void talk_fini(struct talk *);

#endif

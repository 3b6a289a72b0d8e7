#ifndef HP_CMD_HPEXCHANGE_MPI_TALK_H
#define HP_CMD_HPEXCHANGE_MPI_TALK_H

/*
 * The small messages between each two nodes: a hello, signs of life, "stored",
 * and at last "bye" or "quit".  They are encoded as in hp-stream(5).  A node
 * sends "stored" to a peer when it has stored the records of all nodes and the
 * peer has received all of its records.  It sends "bye" when both have said
 * "stored".  Until then the peer must give signs of life.  Nothing follows
 * "bye", so no message is left over when MPI ends.
 */

#include <mpi.h>

#include "net/wire.h"
#include "watchdog.h"

struct talk_peer {
	unsigned char in[NOTE_MAX], out[NOTE_MAX];
	uint32_t quit_len; /* of the quit note in `quit`; 0: none */
	unsigned char quit[NOTE_MAX];
	bool greets;	/* our hello is sent */
	bool greeted;	/* its hello is here */
	bool may_close; /* "stored" may be sent */
	bool closes;	/* our "stored" is sent */
	bool told;	/* our "bye" or "quit" is sent */
	bool stored;	/* its "stored" is here */
	bool parted;	/* its "bye" is here */
	double said_s;	/* when the last note was sent */
};

struct talk {
	uint32_t nodes, me;
	struct hello hello; /* ours */
	const char *const *name;
	struct watch *watch;
	double beat_s; /* between signs of life */
	bool quit;     /* a peer has said "quit" */
	struct talk_peer *peer;
	MPI_Request *request; /* of each peer, a send and a receive */
	MPI_Status *status;
	int *done;
};

int talk_init(struct talk *, const char *const *name, uint32_t nodes,
    uint32_t me, struct watch *, struct hp_err *);
/*
 * Sends and receives notes.  Returns the number of completed ones.  Returns -1
 * with HP_LOST when a peer quits, and with HP_INPUT when a peer sends something
 * else than notes of this exchange.
 */
int talk_step(struct talk *, struct hp_err *);
/* The peer has all our records, and all records for us are stored. */
void talk_close(struct talk *, uint32_t rank);
/* Returns whether all peers and this node have said "bye". */
bool talk_over(const struct talk *);
/*
 * Ends after a failure.  Tells all peers why this node fails, unless a peer has
 * told all nodes why it fails.  Waits a moment for the messages of all nodes.
 */
void talk_quit(struct talk *, const char *why);
/* Harmless on a zeroed struct. */
void talk_fini(struct talk *);

#endif

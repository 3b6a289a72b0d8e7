#ifndef HP_CMD_HPEXCHANGE_MPI_MOVER_H
#define HP_CMD_HPEXCHANGE_MPI_MOVER_H

/*
 * Moves messages between all pairs of nodes by MPI.  Each pair has a window: a
 * number of messages that may be under way.  Every call of mover_step starts
 * what it can and never waits, so slow pairs do not delay the others.
 *
 * Messages are sent in synchronous mode (MPI_Issend): a message leaves the
 * window only when the receiver has a buffer for it.  MPI therefore never has
 * to store messages for which no buffer is posted.  A message has at most
 * MOVER_MOST bytes, which fits into MPI's int counts.
 *
 * All calls are made by one thread (MPI_THREAD_FUNNELED).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "base/err.h"

#define MOVER_MOST ((size_t)64 << 20)

/* Where messages come from, and where they go to. */
struct mover_ends {
	/* Returns whether there is another message for a node, and which. */
	bool (*next)(void *, uint32_t to, const void **, size_t *len);
	/* The oldest message from `next` was sent; its buffer is free. */
	void (*sent)(void *, uint32_t to);
	/* Returns whether another message of a node may come, and where to. */
	bool (*room)(void *, uint32_t from, void **, size_t *size);
	/* A message has arrived in the oldest buffer from `room`. */
	void (*came)(void *, uint32_t from, size_t len);
	void *context;
};

struct lane;

struct mover {
	uint32_t nodes, me, window;
	const struct mover_ends *ends;
	struct lane *lane; /* by rank */
	/* of each lane `window` sends and as many receives */
	MPI_Request *request;
	MPI_Status *status;
	int *done; /* indices of completed requests */
};

int mover_init(struct mover *, const struct mover_ends *, uint32_t nodes,
    uint32_t me, uint32_t window, struct hp_err *);
/*
 * Starts and completes messages.  Returns the number of completed ones. Returns
 * -1 with HP_LOST if MPI reports a failure; `rank` is that of the peer.
 */
int mover_step(struct mover *, uint32_t *rank, struct hp_err *);
/* Returns whether all messages to a node were sent. */
bool mover_sent(const struct mover *, uint32_t to);
/* Cancels the receives for which no message came. */
void mover_cancel(struct mover *);
/* Harmless on a zeroed struct. */
void mover_fini(struct mover *);

/* Fails with HP_LOST and MPI's text for its error. */
int mover_failed(int code, const char *what, struct hp_err *);

#endif

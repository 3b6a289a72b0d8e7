#ifndef HP_CMD_HPEXCHANGE_MPI_MOVER_H
#define HP_CMD_HPEXCHANGE_MPI_MOVER_H

/*
 * Moves messages between all pairs of nodes by MPI.  Each pair has a window:
 * the number of messages that may be in transit.  Every call of mover_step
 * starts all messages that fit into the windows and never waits, so slow pairs
 * do not delay the others.
 * | Messages are sent in synchronous mode (MPI_Issend): a message leaves the
 * window only when the receiver has a buffer for it.  MPI therefore never has
 * to store messages for which no buffer is posted.  A message has at most
 * MOVER_MOST bytes, which fits into MPI's int counts.  All calls are made by
 * one thread (MPI_THREAD_FUNNELED).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "base/err.h"

#define MOVER_MOST ((size_t)64 << 20)

/*
 * Functions that supply the messages to send and the buffers to receive into.
 */
struct mover_ends {
	/* Sets the next message to a node.  Returns false if there is none. */
	bool (*next)(void *, uint32_t to, const void **, size_t *len);
	/*
	 * The oldest message that `next` supplied was sent, so its buffer is
	 * free.
	 */
	void (*sent)(void *, uint32_t to);
	/*
	 * Sets the buffer for another message from a node.  Returns false if
	 * there is none.
	 */
	bool (*room)(void *, uint32_t from, void **, size_t *size);
	/* A message has arrived in the oldest buffer that `room` supplied. */
	void (*came)(void *, uint32_t from, size_t len);
	void *context;
};

struct lane;

struct mover {
	uint32_t nodes, me, window;
	const struct mover_ends *ends;
	struct lane *lane; /* by rank */
	/*
	 * MPI requests; for each node, `window` sends, then `window` receives
	 */
	MPI_Request *request;
	MPI_Status *status;
	int *done; /* indices of completed requests */
};

int mover_init(struct mover *, const struct mover_ends *, uint32_t nodes,
    uint32_t me, uint32_t window, struct hp_err *);
/*
 * Starts new messages and completes old ones.  Returns the number of completed
 * messages.  Returns -1 with HP_LOST if MPI reports a failure; *rank is then
 * the rank of the peer.
 */
int mover_step(struct mover *, uint32_t *rank, struct hp_err *);
/*
 * Returns whether all messages that were started to a node have been received.
 */
bool mover_sent(const struct mover *, uint32_t to);
/* Cancels the posted receives for which no message has arrived. */
void mover_cancel(struct mover *);
/* Frees the windows.  Does nothing on a zeroed struct. */
void mover_fini(struct mover *);

/*
 * Fails with HP_LOST and the text that MPI has for this error code.
 *   what  the peer or the call, as the first word of the message
 */
int mover_failed(int code, const char *what, struct hp_err *);

#endif

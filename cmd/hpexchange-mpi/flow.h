#ifndef HP_CMD_HPEXCHANGE_MPI_FLOW_H
#define HP_CMD_HPEXCHANGE_MPI_FLOW_H

/*
 * The way of the frames through a node:
 *
 *	input ─ reader ─▶ out[i] ─ MPI ─▶ in[me] of node i ─ writer ─▶ output
 *
 * The reader and the writer are threads, so reading, checksums and writing
 * overlap with the transfer, which the main thread does.  They are connected by
 * rings; a full ring makes its producer wait.  What a node sends to itself goes
 * from the reader to the writer through one ring.
 */

#include "net/exchange.h"
#include "ring.h"

enum flow_part {
	FLOW_READER,
	FLOW_WRITER,
	FLOW_PARTS
};

struct flow {
	const struct exchange *x;
	struct ring *ring;	 /* the storage of out and in */
	struct ring **out, **in; /* by rank; the node's own is the same */
	/* Each wakes one thread, by eventfd(2). */
	int to_reader, to_writer, to_main;
	_Atomic bool stored; /* the writer has stored everything */
	/* The error of a thread; set before `failed`. */
	struct hp_err error[FLOW_PARTS];
	_Atomic bool failed[FLOW_PARTS];
	struct exchange_totals totals; /* valid when stored */
};

/* Makes the rings, each for `slots` frames. */
int flow_init(
    struct flow *, const struct exchange *, uint32_t slots, struct hp_err *);
/* Harmless on a zeroed struct. */
void flow_fini(struct flow *);

/* Wakes the thread that waits for this descriptor. */
void flow_wake(int bell);
/* Waits until the thread is woken, at most `wait_s` seconds; < 0: no limit. */
void flow_wait(int bell, double wait_s);
/* Reports the failure of a thread to the main thread. */
void flow_fail(struct flow *, enum flow_part, const struct hp_err *);

#endif

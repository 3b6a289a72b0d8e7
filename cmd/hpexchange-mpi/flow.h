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
	struct ring *ring; /* memory of the rings of `out` and `in` */
	/* rings by rank; out[me] and in[me] are one ring */
	struct ring **out, **in;
	/*
	 * Eventfd descriptors, one for each thread; a write to one wakes its
	 * thread.
	 */
	int to_reader, to_writer, to_main;
	/* the writer has stored the records of all nodes */
	_Atomic bool stored;
	/*
	 * The error of the reader or writer thread.  It is valid once `failed`
	 * is true.
	 */
	struct hp_err error[FLOW_PARTS];
	_Atomic bool failed[FLOW_PARTS];
	struct exchange_totals totals; /* valid once `stored` is true */
};

/*
 * Creates the rings between the threads.  Each has buffers for `slots` frames.
 */
int flow_init(
    struct flow *, const struct exchange *, uint32_t slots, struct hp_err *);
/*
 * Frees the rings and closes the descriptors.  Does nothing on a zeroed struct.
 */
void flow_fini(struct flow *);

/* Wakes the thread that waits for this eventfd descriptor. */
void flow_wake(int bell);
/*
 * Waits until another thread calls flow_wake for this descriptor, at most
 * `wait_s` seconds.  A negative time is no limit.
 */
void flow_wait(int bell, double wait_s);
/* Stores the error of a reader or writer thread, and wakes the main thread. */
void flow_fail(struct flow *, enum flow_part, const struct hp_err *);

#endif

#ifndef HP_CMD_HPEXCHANGE_MPI_RING_H
#define HP_CMD_HPEXCHANGE_MPI_RING_H

/*
 * A ring of frame buffers that passes frames from one thread to another.  It
 * needs no lock, because each of its two counters is written by one thread.
 * The number of buffers limits the memory that frames of one peer take.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "net/framebuf.h"

struct ring {
	struct framebuf *slot;
	uint32_t slots;
	_Atomic uint64_t put;	/* frames that the producer has filled */
	_Atomic uint64_t taken; /* frames that the consumer has emptied */
};

int ring_init(struct ring *, uint32_t slots, struct hp_err *);
/* Frees the frame buffers.  Does nothing on a zeroed struct. */
void ring_fini(struct ring *);

/*
 * Returns the buffer of the n-th frame, counted from the first frame that ever
 * passed the ring.
 */
static inline struct framebuf *
ring_at(const struct ring *r, uint64_t n)
{
	return &r->slot[n % r->slots];
}

/*
 * Called by the producer.  Returns whether the buffer for the n-th frame is
 * free.
 */
static inline bool
ring_free(struct ring *r, uint64_t n)
{
	return n - atomic_load_explicit(&r->taken, memory_order_acquire) <
	    r->slots;
}

/* Called by the consumer.  Returns whether the n-th frame is in the ring. */
static inline bool
ring_full(struct ring *r, uint64_t n)
{
	return n < atomic_load_explicit(&r->put, memory_order_acquire);
}

/*
 * Called by the producer.  Makes the frame that it has filled visible to the
 * consumer.
 */
static inline void
ring_put(struct ring *r)
{
	atomic_fetch_add_explicit(&r->put, 1, memory_order_release);
}

/*
 * Called by the consumer.  Gives the buffer of the oldest frame back to the
 * producer.
 */
static inline void
ring_take(struct ring *r)
{
	atomic_fetch_add_explicit(&r->taken, 1, memory_order_release);
}

#endif

#ifndef HP_CMD_HPEXCHANGE_MPI_RING_H
#define HP_CMD_HPEXCHANGE_MPI_RING_H

/*
 * A ring of frame buffers from one thread to another, without a lock: each of
 * the two counters has one writer.  The ring bounds the memory of a peer.
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
/* Harmless on a zeroed struct. */
void ring_fini(struct ring *);

/* Returns the buffer of the n-th frame, counted from 0 over the whole run. */
static inline struct framebuf *
ring_at(const struct ring *r, uint64_t n)
{
	return &r->slot[n % r->slots];
}

/* For the producer: returns whether the n-th frame has a free buffer. */
static inline bool
ring_free(struct ring *r, uint64_t n)
{
	return n - atomic_load_explicit(&r->taken, memory_order_acquire) <
	    r->slots;
}

/* For the consumer: returns whether the n-th frame is filled. */
static inline bool
ring_full(struct ring *r, uint64_t n)
{
	return n < atomic_load_explicit(&r->put, memory_order_acquire);
}

/* For the producer: passes the next frame on. */
static inline void
ring_put(struct ring *r)
{
	atomic_fetch_add_explicit(&r->put, 1, memory_order_release);
}

/* For the consumer: returns the oldest frame's buffer to the producer. */
static inline void
ring_take(struct ring *r)
{
	atomic_fetch_add_explicit(&r->taken, 1, memory_order_release);
}

#endif

#ifndef HP_RUN_DELIVERY_H
#define HP_RUN_DELIVERY_H

/*
 * Buffers that many threads fill and that are written in order.
 *
 * If several threads write to one file, the kernel lets one in and the others
 * spin. So one thread writes at a time, or `writers` where that is faster. A
 * thread that has filled a buffer leaves it to the thread that is writing and
 * goes on with its next buffer. Buffers are numbered in the order of the
 * output. No thread gets further ahead of the output than there are buffers.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "run/output.h"

struct pending_write {
	unsigned char *buf; /* NULL until it is filled */
	/*
	 * The first `bytes` bytes of the buffer are written again and again
	 * until `total` bytes are written. A long sequence of equal records
	 * thus needs only a small buffer.
	 */
	size_t bytes, total;
};

struct delivery {
	struct output *out;
	unsigned writers, writing;
	size_t n;
	size_t next; /* number of the next buffer to write */
	/* [n]: element i % n describes the buffer of part number i */
	struct pending_write *pending;
	/*
	 * Free buffers, as a stack: the buffer written last is reused first,
	 * because it may still be in the processor's cache.
	 */
	unsigned char **unused;
	size_t nunused;
};

/*
 * Divides the memory at buf into n buffers of `size` bytes each. The caller
 * frees the memory.
 */
int delivery_init(struct delivery *, struct output *, unsigned writers,
    unsigned char *buf, size_t n, size_t size, struct hp_err *);
void delivery_fini(struct delivery *);

/*
 * Waits until a buffer is free and returns it. The caller fills the buffer with
 * the part `number` of the output. Returns NULL if another thread failed. Call
 * the function with numbers in increasing order.
 */
unsigned char *delivery_buffer(struct delivery *, size_t number);

/*
 * Hands over a filled buffer for writing. Its first `bytes` bytes are written
 * again and again until `total` bytes are written. The calling thread may also
 * write buffers of other threads.
 */
int delivery_send(struct delivery *, size_t number, unsigned char *buf,
    size_t bytes, size_t total, struct hp_err *);

#endif

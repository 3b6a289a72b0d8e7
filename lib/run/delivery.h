#ifndef HP_RUN_DELIVERY_H
#define HP_RUN_DELIVERY_H

/*
 * Buffers that many threads fill and that go out in order.
 *
 * Writers to one file only wait for each other, and the kernel lets them spin
 * meanwhile: so just one thread writes at a time, or `writers` where that pays,
 * and who has filled a buffer leaves it to one that writes and goes on with the
 * next.  The work is numbered in the order of the output, and no thread gets
 * further ahead of what was written than there are buffers.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "run/output.h"

struct parcel {
	unsigned char *buf;  /* NULL before it is filled */
	size_t bytes, total; /* what is in buf, over and over to the total */
};

struct delivery {
	struct output *out;
	unsigned writers, writing;
	size_t n;
	size_t next;		/* to be written */
	struct parcel *parcel;	/* of number i, at i % n */
	unsigned char **unused; /* the last one written comes first: it may
				   still be in the cache */
	size_t nunused;
};

/* n buffers of `size` bytes each from buf on, which is borrowed. */
int delivery_init(struct delivery *, struct output *, unsigned writers,
    unsigned char *buf, size_t n, size_t size, struct hp_err *);
void delivery_fini(struct delivery *);

/* A buffer for a number, or NULL when another thread failed.  Numbers are asked
 * for in their order. */
unsigned char *delivery_buffer(struct delivery *, size_t number);

/* The buffer holds this many bytes, which go out again and again, the last time
 * maybe not all of them, until `total` are written. */
int delivery_send(struct delivery *, size_t number, unsigned char *buf,
    size_t bytes, size_t total, struct hp_err *);

#endif

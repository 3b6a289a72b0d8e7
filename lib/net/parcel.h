#ifndef HP_NET_PARCEL_H
#define HP_NET_PARCEL_H

/*
 * A frame that comes in: head and payload in one buffer, and how far it has
 * come.  Parcels change hands by swapping buffers, so that a payload is not
 * copied.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "link/channel.h"
#include "record/frame.h"

struct parcel {
	unsigned char *bytes; /* FRAME_HEAD and FRAME_MAX */
	/* Behind the head, or where the sender has it. */
	const unsigned char *payload;
	const unsigned char *shared; /* its window, borrowed; NULL: none */
	size_t pos;		     /* bytes that came in, or were handed on */
	size_t len;		     /* of the whole frame, 0 while not known */
	struct frame frame;	     /* decoded, once len is known */
};

int parcel_init(struct parcel *, struct hp_err *);
/* Harmless on a zeroed struct. */
void parcel_fini(struct parcel *);
void parcel_swap(struct parcel *, struct parcel *);
/* Makes it empty again. */
void parcel_clear(struct parcel *);
/* Where to put a payload. */
static inline unsigned char *
parcel_payload(const struct parcel *p)
{
	return p->bytes + FRAME_HEAD;
}
/* The sender's window goes: what is still needed of it stays. */
void parcel_settle(struct parcel *);

enum parcel_step {
	PARCEL_PART, /* some came, or nothing was there to read */
	PARCEL_WHOLE,
	PARCEL_EOF,
	PARCEL_BROKEN, /* HP_IO: cannot be read */
	PARCEL_DAMAGED /* HP_INPUT: not what its checksums say */
};

/* One read towards a whole frame. */
enum parcel_step parcel_read(
    struct parcel *, struct channel *, const char *name, struct hp_err *);

#endif

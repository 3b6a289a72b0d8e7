#ifndef HP_NET_PARCEL_H
#define HP_NET_PARCEL_H

/*
 * A frame on its way in or out: head and payload in one buffer, and how far it
 * has come.  Parcels change hands by swapping buffers, so a payload is copied
 * from descriptor to descriptor and nowhere else.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "net/channel.h"
#include "record/frame.h"

struct parcel {
	unsigned char *bytes; /* FRAME_HEAD and FRAME_MAX */
	size_t pos;	      /* bytes that came in, or went out */
	size_t len;	      /* of the whole frame, 0 while not known */
	struct frame frame;   /* decoded, once len is known */
};

int parcel_init(struct parcel *, struct hp_err *);
/* Harmless on a zeroed struct. */
void parcel_fini(struct parcel *);
void parcel_swap(struct parcel *, struct parcel *);
/* Makes it empty again. */
void parcel_clear(struct parcel *);
static inline unsigned char *
parcel_payload(const struct parcel *p)
{
	return p->bytes + FRAME_HEAD;
}

/* Whether it came in to the last byte and was verified. */
static inline bool
parcel_whole(const struct parcel *p)
{
	return p->len > 0 && p->pos == p->len;
}

enum parcel_step {
	PARCEL_PART, /* some came, or nothing was there to read */
	PARCEL_WHOLE,
	PARCEL_EOF /* also a connection that was reset */
};

/*
 * One read towards a whole frame.  Returns the step, or -1: HP_INPUT from a
 * frame that is not what its checksum says, HP_IO.
 */
int parcel_read(
    struct parcel *, struct channel *, const char *name, struct hp_err *);

/* Makes the payload in the buffer a frame, ready to be written. */
void parcel_seal(struct parcel *, const struct frame *);

/*
 * One write of what is left.  Returns 1 when all is out, 0 when not, or -1
 * with errno.
 */
int parcel_write(struct parcel *, struct channel *);

#endif

#ifndef HP_NET_HANDOVER_H
#define HP_NET_HANDOVER_H

/*
 * What a node keeps for itself goes from the half that sends to the half that
 * receives, one parcel at a time.  The halves may be threads; each has a
 * descriptor that becomes readable when it is its turn.
 */

#include <pthread.h>
#include <stdbool.h>

#include "net/parcel.h"

struct handover {
	pthread_mutex_t lock;
	struct parcel parcel;
	bool full, ended;
	int to_giver, to_taker; /* eventfd(2) */
};

int handover_init(struct handover *, struct hp_err *);
void handover_fini(struct handover *);

/* Whether a parcel can be given: it stays so until one is. */
bool handover_room(struct handover *);
/* Takes over the parcel for an empty one. */
void handover_give(struct handover *, struct parcel *);
/* After the last. */
void handover_end(struct handover *);

enum handover_step {
	HANDOVER_NOTHING,
	HANDOVER_PARCEL,
	HANDOVER_END
};

/* Takes what is there, for an empty parcel. */
enum handover_step handover_take(struct handover *, struct parcel *);

/* When one of these is readable, it is to be heard before one looks again. */
void handover_heard(int fd);

#endif

#ifndef HP_NET_LOCALQUEUE_H
#define HP_NET_LOCALQUEUE_H

/*
 * What a node keeps for itself goes from the half that sends to the half that
 * receives, one parcel at a time.  The halves may be threads; each has a
 * descriptor that becomes readable when it is its turn.
 */

#include <pthread.h>
#include <stdbool.h>

#include "net/framebuf.h"

struct local_queue {
	pthread_mutex_t lock;
	struct framebuf buf;
	bool full, ended;
	int to_producer, to_consumer; /* eventfd(2) */
};

int localqueue_init(struct local_queue *, struct hp_err *);
void localqueue_fini(struct local_queue *);

/* Whether a parcel can be given: it stays so until one is. */
bool localqueue_room(struct local_queue *);
/* Takes over the parcel for an empty one. */
void localqueue_put(struct local_queue *, struct framebuf *);
/* After the last. */
void localqueue_end(struct local_queue *);

enum localqueue_event {
	LOCALQUEUE_EMPTY,
	LOCALQUEUE_FRAME,
	LOCALQUEUE_END
};

/* Takes what is there, for an empty parcel. */
enum localqueue_event localqueue_take(struct local_queue *, struct framebuf *);

/* When one of these is readable, it is to be heard before one looks again. */
void localqueue_clear(int fd);

#endif

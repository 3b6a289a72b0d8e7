#ifndef HP_NET_LOCALQUEUE_H
#define HP_NET_LOCALQUEUE_H

/*
 * A queue of at most one frame, from the sending half of a node to its
 * receiving half: the records that the node sends to itself.  The halves may be
 * threads.  Each has an eventfd that becomes readable when the queue changes.
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

/*
 * For the producer: returns whether the queue has room. Only the producer can
 * fill it.
 */
bool localqueue_room(struct local_queue *);
/*
 * For the producer: swaps the frame for an empty buffer. The queue must have
 * room.
 */
void localqueue_put(struct local_queue *, struct framebuf *);
/* Producer: no frame follows. */
void localqueue_end(struct local_queue *);

enum localqueue_event {
	LOCALQUEUE_EMPTY,
	LOCALQUEUE_FRAME,
	LOCALQUEUE_END
};

/*
 * For the consumer: swaps an empty buffer for the frame, if there is a frame.
 */
enum localqueue_event localqueue_take(struct local_queue *, struct framebuf *);

/* Resets a readable eventfd. Call it before you look at the queue. */
void localqueue_clear(int fd);

#endif

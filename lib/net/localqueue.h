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
 * The producer calls this. Returns whether the queue has room. Only the
 * producer can fill the queue.
 */
bool localqueue_room(struct local_queue *);
/*
 * The producer calls this. Puts its frame into the queue, and gives it an empty
 * buffer in exchange. The queue must have room.
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
 * The consumer calls this. Takes the frame, if there is one, and gives the
 * queue an empty buffer in exchange.
 */
enum localqueue_event localqueue_take(struct local_queue *, struct framebuf *);

/*
 * Resets an eventfd that is readable. Call this before checking the queue, so
 * that no change is missed.
 */
void localqueue_clear(int fd);

#endif

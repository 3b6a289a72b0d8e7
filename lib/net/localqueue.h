#ifndef HP_NET_LOCALQUEUE_H
#define HP_NET_LOCALQUEUE_H

/*
 * A queue of at most one frame, from the sending half of a node to its
 * receiving half. It carries the records that the node sends to itself. Each
 * half may be a thread, and has an eventfd that becomes readable when the queue
 * changes.
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
 * The producer calls this. Exchanges the producer's buffer, which contains a
 * frame, for an empty buffer of the queue. The queue must have room.
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
 * The consumer calls this. If the queue has a frame, exchanges the consumer's
 * empty buffer for the buffer with the frame.
 */
enum localqueue_event localqueue_take(struct local_queue *, struct framebuf *);

/*
 * Resets an eventfd that is readable. Call this before checking the queue, so
 * that no change is missed.
 */
void localqueue_clear(int fd);

#endif

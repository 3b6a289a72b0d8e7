#include <sys/eventfd.h>

#include <unistd.h>

#include "net/localqueue.h"

int
localqueue_init(struct local_queue *h, struct hp_err *e)
{
	pthread_mutex_init(&h->lock, NULL);
	h->full = h->ended = false;
	h->to_producer = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	h->to_consumer = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (h->to_producer == -1 || h->to_consumer == -1)
		return hp_fail_errno(e, HP_IO, "eventfd");
	return framebuf_init(&h->buf, e);
}

void
localqueue_fini(struct local_queue *h)
{
	if (h->to_producer != -1)
		close(h->to_producer);
	if (h->to_consumer != -1)
		close(h->to_consumer);
	framebuf_fini(&h->buf);
	pthread_mutex_destroy(&h->lock);
}

/*
 * eventfd_write fails only if the counter is at its maximum, 2^64 - 2, which
 * cannot happen.
 */
static void
wake(int fd)
{
	eventfd_write(fd, 1);
}

void
localqueue_clear(int fd)
{
	eventfd_t count;

	eventfd_read(fd, &count);
}

bool
localqueue_room(struct local_queue *h)
{
	bool room;

	pthread_mutex_lock(&h->lock);
	room = !h->full && !h->ended;
	pthread_mutex_unlock(&h->lock);
	return room;
}

void
localqueue_put(struct local_queue *h, struct framebuf *p)
{
	pthread_mutex_lock(&h->lock);
	framebuf_swap(&h->buf, p);
	h->full = true;
	pthread_mutex_unlock(&h->lock);
	framebuf_clear(p);
	wake(h->to_consumer);
}

void
localqueue_end(struct local_queue *h)
{
	pthread_mutex_lock(&h->lock);
	h->ended = true;
	pthread_mutex_unlock(&h->lock);
	wake(h->to_consumer);
}

enum localqueue_event
localqueue_take(struct local_queue *h, struct framebuf *p)
{
	enum localqueue_event step = LOCALQUEUE_EMPTY;

	pthread_mutex_lock(&h->lock);
	if (h->full) {
		framebuf_swap(&h->buf, p);
		h->full = false;
		step = LOCALQUEUE_FRAME;
	} else if (h->ended)
		step = LOCALQUEUE_END;
	pthread_mutex_unlock(&h->lock);
	if (step == LOCALQUEUE_FRAME)
		wake(h->to_producer);
	return step;
}

#include <sys/eventfd.h>

#include <unistd.h>

#include "net/handover.h"

int
handover_init(struct handover *h, struct hp_err *e)
{
	pthread_mutex_init(&h->lock, NULL);
	h->full = h->ended = false;
	h->to_giver = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	h->to_taker = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (h->to_giver == -1 || h->to_taker == -1)
		return hp_fail_errno(e, HP_IO, "eventfd");
	return parcel_init(&h->parcel, e);
}

void
handover_fini(struct handover *h)
{
	if (h->to_giver != -1)
		close(h->to_giver);
	if (h->to_taker != -1)
		close(h->to_taker);
	parcel_fini(&h->parcel);
	pthread_mutex_destroy(&h->lock);
}

/* It cannot fail but for a count of 2^64 that nobody looked at. */
static void
ring(int fd)
{
	eventfd_write(fd, 1);
}

void
handover_heard(int fd)
{
	eventfd_t count;

	eventfd_read(fd, &count);
}

bool
handover_room(struct handover *h)
{
	bool room;

	pthread_mutex_lock(&h->lock);
	room = !h->full && !h->ended;
	pthread_mutex_unlock(&h->lock);
	return room;
}

void
handover_give(struct handover *h, struct parcel *p)
{
	pthread_mutex_lock(&h->lock);
	parcel_swap(&h->parcel, p);
	h->full = true;
	pthread_mutex_unlock(&h->lock);
	parcel_clear(p);
	ring(h->to_taker);
}

void
handover_end(struct handover *h)
{
	pthread_mutex_lock(&h->lock);
	h->ended = true;
	pthread_mutex_unlock(&h->lock);
	ring(h->to_taker);
}

enum handover_step
handover_take(struct handover *h, struct parcel *p)
{
	enum handover_step step = HANDOVER_NOTHING;

	pthread_mutex_lock(&h->lock);
	if (h->full) {
		parcel_swap(&h->parcel, p);
		h->full = false;
		step = HANDOVER_PARCEL;
	} else if (h->ended)
		step = HANDOVER_END;
	pthread_mutex_unlock(&h->lock);
	if (step == HANDOVER_PARCEL)
		ring(h->to_giver);
	return step;
}

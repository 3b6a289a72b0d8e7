#include <sys/eventfd.h>

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "flow.h"
#include "net/localqueue.h"

static int
rings(struct flow *f, uint32_t slots, struct hp_err *e)
{
	uint32_t n = f->x->nodes, me = f->x->me;

	f->ring = calloc(2 * (size_t)n, sizeof *f->ring);
	f->out = calloc(n, sizeof(struct ring *));
	f->in = calloc(n, sizeof(struct ring *));
	if (f->ring == NULL || f->out == NULL || f->in == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", n);
	for (uint32_t i = 0; i < n; i++) {
		f->out[i] = &f->ring[2 * i];
		f->in[i] = i == me ? f->out[i] : &f->ring[2 * i + 1];
		if (ring_init(f->out[i], slots, e) == -1 ||
		    (i != me && ring_init(f->in[i], slots, e) == -1))
			return -1;
	}
	return 0;
}

int
flow_init(
    struct flow *f, const struct exchange *x, uint32_t slots, struct hp_err *e)
{
	*f = (struct flow){ .x = x };
	f->to_reader = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	f->to_writer = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	f->to_main = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (f->to_reader == -1 || f->to_writer == -1 || f->to_main == -1)
		return hp_fail_errno(e, HP_IO, "eventfd");
	return rings(f, slots, e);
}

void
flow_fini(struct flow *f)
{
	if (f->x == NULL)
		return;
	close(f->to_reader);
	close(f->to_writer);
	close(f->to_main);
	for (uint32_t i = 0; f->ring != NULL && i < 2 * f->x->nodes; i++)
		ring_fini(&f->ring[i]);
	free(f->ring);
	free(f->out);
	free(f->in);
	*f = (struct flow){ 0 };
}

/*
 * The write fails only if the counter of the eventfd is at its maximum, 2^64-2.
 * That cannot happen.
 */
void
flow_wake(int bell)
{
	eventfd_write(bell, 1);
}

void
flow_wait(int bell, double wait_s)
{
	struct pollfd p = { .fd = bell, .events = POLLIN };
	struct timespec t = { .tv_nsec = (long)(wait_s * 1e9) };

	if (wait_s >= 1)
		t = (struct timespec){ .tv_sec = (time_t)wait_s };
	ppoll(&p, 1, wait_s < 0 ? NULL : &t, NULL);
	localqueue_clear(bell);
}

void
flow_fail(struct flow *f, enum flow_part part, const struct hp_err *e)
{
	f->error[part] = *e;
	atomic_store(&f->failed[part], true);
	flow_wake(f->to_main);
}

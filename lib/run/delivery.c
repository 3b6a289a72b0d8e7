#include <stdlib.h>

#include "base/team.h"
#include "run/delivery.h"

int
delivery_init(struct delivery *d, struct output *out, unsigned writers,
    unsigned char *buf, size_t n, size_t size, struct hp_err *e)
{
	*d = (struct delivery){ .out = out, .writers = writers, .n = n };
	d->pending = calloc(n, sizeof *d->pending);
	d->unused = calloc(n, sizeof *d->unused);
	if (d->pending == NULL || d->unused == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (size_t i = 0; i < n; i++)
		d->unused[d->nunused++] = buf + i * size;
	return 0;
}

void
delivery_fini(struct delivery *d)
{
	free(d->pending);
	free(d->unused);
	*d = (struct delivery){ 0 };
}

/*
 * Returns whether the caller may take a free buffer for the part `number` of
 * the output. Parts are written in the order of their numbers. If later parts
 * took all buffers, the next part to write would get none, and all threads
 * would wait.
 */
static bool
may_take(const struct delivery *d, size_t number)
{
	return number + d->writing < d->next + d->n;
}

unsigned char *
delivery_buffer(struct delivery *d, size_t number)
{
	struct output *o = d->out;
	unsigned char *buf = NULL;
	bool wait;

	pthread_mutex_lock(&o->lock);
	if ((wait = !may_take(d, number) && !o->failed))
		team_wait();
	while (!may_take(d, number) && !o->failed)
		pthread_cond_wait(&o->turned, &o->lock);
	if (!o->failed)
		buf = d->unused[--d->nunused];
	pthread_mutex_unlock(&o->lock);
	if (wait)
		team_go_on();
	return buf;
}

static int
write_pending(
    struct output *o, const struct pending_write *p, off_t at, struct hp_err *e)
{
	size_t k;

	for (size_t left = p->total; left > 0; left -= k, at += (off_t)k) {
		k = left < p->bytes ? left : p->bytes;
		if (output_write(o, p->buf, k, at, e) == -1)
			return -1;
	}
	return 0;
}

/*
 * Writes the buffer that is next in order. The caller holds the lock, which is
 * released during the write.
 */
static int
write_next(struct delivery *d, struct hp_err *e)
{
	struct output *o = d->out;
	struct pending_write *next = &d->pending[d->next % d->n], p = *next;
	off_t at = o->at;
	int rc;

	next->buf = NULL;
	d->next++;
	d->writing++;
	o->at += (off_t)p.total;
	pthread_mutex_unlock(&o->lock);
	rc = write_pending(o, &p, at, e);
	pthread_mutex_lock(&o->lock);
	/*
	 * Record a failure before the lock is released, so that no other thread
	 * writes the next buffer.
	 */
	o->failed = o->failed || rc == -1;
	d->writing--;
	d->unused[d->nunused++] = p.buf;
	pthread_cond_broadcast(&o->turned);
	return rc;
}

int
delivery_send(struct delivery *d, size_t number, unsigned char *buf,
    size_t bytes, size_t total, struct hp_err *e)
{
	struct output *o = d->out;
	int rc = 0;

	pthread_mutex_lock(&o->lock);
	d->pending[number % d->n] = (struct pending_write){ buf, bytes, total };
	while (rc == 0 && !o->failed && d->writing < d->writers &&
	    d->pending[d->next % d->n].buf != NULL)
		rc = write_next(d, e);
	pthread_mutex_unlock(&o->lock);
	return rc;
}

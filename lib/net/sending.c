#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/attempt.h"
#include "net/connect.h"
#include "net/fill.h"
#include "net/logins.h"
#include "net/notes.h"

/* Places in the poll(2) set. */
enum {
	AT_INPUT,
	AT_LOCAL,
	AT_NODES,
	A_NODE = 1 + OUTLET_ATTEMPTS /* connection and attempts */
};

/*
 * At the end, this node sends a farewell message to each receiver. A receiver
 * that cannot be resumed may already have ended, and nobody starts it again. So
 * this node tries to reach it for only this many seconds.
 */
static const double FAREWELL_S = 1;

size_t
sending_fds(const struct engine *en)
{
	return AT_NODES + A_NODE * (size_t)en->x->nodes;
}

/*
 * Restores from the spool what the receiver had told the killed process of this
 * node.
 */
static void
restore(struct sending *s, struct outlet *o)
{
	struct spool_record was;

	o->stored = spool_get_sent(&s->en->spool, o->rank, &was);
	o->restarts = o->stored; /* then it is no error if it has ended */
	if (o->stored)
		o->run = was.run;
	/*
	 * This receiver keeps no spool directory, so it will not be started
	 * again. It may already have ended successfully, so wait for it only a
	 * short time.
	 */
	if (o->stored && !was.restarts)
		o->heard_s = FAREWELL_S - s->en->lost_s;
	if (o->stored ? was.parted : s->en->done)
		o->state = OUTLET_DONE;
}

int
sending_open(struct sending *s, struct engine *en, struct hp_err *e)
{
	const struct exchange *x = en->x;

	*s = (struct sending){
		.en = en, .parts = { .fd = -1 }, .failure = { .rank = x->me }
	};
	s->outlet = calloc(x->nodes, sizeof *s->outlet);
	if (s->outlet == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
	for (uint32_t i = 0; i < x->nodes; i++)
		if (i != x->me &&
		    outlet_init(&s->outlet[i], x->me, i, x->node[i].name,
			x->transport->shares_memory, e) == -1)
			return -1;
	if (logins_init(s, e) == -1)
		return -1;
	for (uint32_t i = 0; x->spool != NULL && i < x->nodes; i++)
		if (i != x->me)
			restore(s, &s->outlet[i]);
	s->local_ended = en->done;
	if (x->path == NULL)
		return framed_init(&s->framed, STDIN_FILENO, "standard input",
		    x->me, x->nodes, e);
	if (framebuf_init(&s->spare, e) == -1)
		return -1;
	if (parts_open(&s->parts, x->path, x->part, x->nparts, x->me, x->nodes,
		e) == -1)
		return -1;
	s->parts.sum = x->sum;
	return 0;
}

void
sending_close(struct sending *s)
{
	for (uint32_t i = 0; s->outlet != NULL && i < s->en->x->nodes; i++)
		if (i != s->en->x->me)
			outlet_fini(&s->outlet[i]);
	free(s->outlet);
	framed_fini(&s->framed);
	parts_close(&s->parts);
	framebuf_fini(&s->spare);
}

void
sending_hang_up(struct sending *s)
{
	for (uint32_t i = 0; i < s->en->x->nodes; i++) {
		struct outlet *o = &s->outlet[i];

		if (i == s->en->x->me)
			continue;
		outlet_close_all(o);
	}
}

static int
write_frames(struct sending *s, struct outlet *o, struct hp_err *e)
{
	ssize_t n = outlet_write(o);

	if (n == -1)
		return notes_lost(s, o, channel_why(&o->channel), e);
	if (n > 0)
		o->wrote_s = s->clock_s;
	return 0;
}

/* Sends the receiver a heartbeat if nothing else is to be sent. */
static void
beat(struct sending *s, struct outlet *o)
{
	if (channel_is_open(&o->channel) && o->state == OUTLET_OPEN &&
	    o->window.first == o->window.next &&
	    o->wrote_s + s->en->beat_s <= s->clock_s)
		outlet_beat(o);
}

static void
watch(struct pollfd *p, int fd)
{
	*p = (struct pollfd){ .fd = fd, .events = POLLIN };
}

int
sending_turn(
    struct sending *s, struct pollfd *set, double *wait_s, struct hp_err *e)
{
	const struct framed *f = &s->framed;
	bool stream = s->en->x->path == NULL && f->state != FRAMED_DONE;
	bool now = false;

	if (connect_turn(s, wait_s, e) == -1 || fill_windows(s, e) == -1)
		return -1;
	watch(set + AT_INPUT, stream && !f->ready ? f->fd : -1);
	watch(set + AT_LOCAL, s->local_ended ? -1 : s->en->local.to_producer);
	set += AT_NODES;
	for (uint32_t i = 0; i < s->en->x->nodes; i++, set += A_NODE) {
		struct outlet *o = &s->outlet[i];

		if (i == s->en->x->me) {
			for (int k = 0; k < A_NODE; k++)
				watch(set + k, -1);
			continue;
		}
		beat(s, o);
		now |= channel_watch(
		    &o->channel, set, o->state != OUTLET_DONE, outlet_busy(o));
		for (int k = 0; k < OUTLET_ATTEMPTS; k++)
			now |= channel_watch(
			    &o->attempt[k].channel, set + 1 + k, true, false);
	}
	if (now)
		*wait_s = 0;
	return 0;
}

static int
serve_node(struct sending *s, struct outlet *o, const struct pollfd *set,
    struct hp_err *e)
{
	short may = channel_polled(&o->channel, set);

	if ((may & POLLIN) != 0 && notes_read(s, o, e) == -1)
		return -1;
	if ((may & POLLOUT) != 0 && outlet_busy(o) &&
	    write_frames(s, o, e) == -1)
		return -1;

	for (int k = 0; k < OUTLET_ATTEMPTS; k++) {
		struct handshake *g = &o->attempt[k];

		/*
		 * An answer to one attempt closes all older attempts. So check
		 * that this attempt is still open.
		 */
		if (channel_is_open(&g->channel) &&
		    channel_polled(&g->channel, set + 1 + k) != 0 &&
		    attempt_answer(s, o, g, e) == -1)
			return -1;
	}
	return 0;
}

int
sending_serve(struct sending *s, const struct pollfd *set, struct hp_err *e)
{
	if (set[AT_LOCAL].revents != 0)
		localqueue_clear(s->en->local.to_producer);
	if (set[AT_INPUT].revents != 0 && framed_read(&s->framed, e) == -1)
		return -1;
	set += AT_NODES;
	for (uint32_t i = 0; i < s->en->x->nodes; i++, set += A_NODE)
		if (i != s->en->x->me &&
		    serve_node(s, &s->outlet[i], set, e) == -1)
			return -1;
	return 0;
}

bool
sending_done(const struct sending *s)
{
	for (uint32_t i = 0; i < s->en->x->nodes; i++)
		if (i != s->en->x->me && s->outlet[i].state != OUTLET_DONE)
			return false;
	return s->local_ended;
}

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>

#include "net/localqueue.h"
#include "output.h"

/*
 * Delay in seconds before FIFOs without a reader are tried again. It grows.
 */
static const double NAP_S = 0.001, NAP_MOST_S = 0.05;

/* The frames of one sender. */
struct arrival {
	struct frame_totals totals;
	bool ready;  /* a verified frame is being written */
	bool inside; /* the last frame ends inside a record */
	bool ended;  /* the end frame is here */
	bool closed; /* the sink has finished its output, too */
};

struct work {
	struct flow *flow;
	struct sink *sink;
	struct arrival *from; /* by rank */
	struct pollfd *fd;    /* outputs that are full, and the bell */
	nfds_t nfd;
	bool moved;  /* anything was done in this pass */
	bool unread; /* a FIFO has no reader */
	double nap_s;
};

/* Returns the buffer to the producer of the ring. */
static void
take(struct work *w, uint32_t source)
{
	ring_take(w->flow->in[source]);
	flow_wake(
	    source == w->flow->x->me ? w->flow->to_reader : w->flow->to_main);
	w->moved = true;
}

static int
bad(const struct work *w, uint32_t source, const char *why, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT, "%s: frame %" PRIu64 ": %s",
	    w->flow->x->node[source].name, w->from[source].totals.frames, why);
}

/* Verifies a message of another node, whose length is in pos. */
static int
verify(
    const struct work *w, uint32_t source, struct framebuf *p, struct hp_err *e)
{
	const char *name = w->flow->x->node[source].name;

	if (p->pos < FRAME_HEAD)
		return bad(w, source, "too short", e);
	if (frame_decode(p->bytes, &p->frame, name, e) == -1)
		return -1;
	p->len = FRAME_HEAD + p->frame.length;
	if (p->pos != p->len)
		return bad(w, source, "the message has another length", e);
	if (frame_verify(p->bytes, framebuf_payload(p), name, e) == -1)
		return -1;
	if (p->frame.number != w->from[source].totals.frames)
		return bad(w, source, "one is missing before it", e);
	if (p->frame.type == FRAME_DATA &&
	    (p->frame.source != source || p->frame.sublist != w->flow->x->me))
		return bad(w, source, "does not belong to this node", e);
	return 0;
}

/* Looks at the next frame of a sender, which has arrived. */
static int
accept_frame(
    struct work *w, uint32_t source, struct framebuf *p, struct hp_err *e)
{
	struct arrival *a = &w->from[source];

	if (source != w->flow->x->me && verify(w, source, p, e) == -1)
		return -1;
	if (p->frame.type == FRAME_DATA) {
		frame_count(&a->totals, &p->frame);
		a->inside = (p->frame.flags & FRAME_MORE) != 0;
		a->ready = true;
		p->pos = FRAME_HEAD;
		return 0;
	}
	if (a->inside)
		return bad(w, source, "ends inside a record", e);
	if (frame_end_check(framebuf_payload(p), &a->totals,
		w->flow->x->node[source].name, e) == -1)
		return -1;
	a->ended = true;
	take(w, source);
	return 0;
}

/* Returns whether the output of a source takes bytes now. */
static bool
writable(const struct work *w, uint32_t source)
{
	struct pollfd p = { .fd = sink_poll_fd(w->sink, source),
		.events = POLLOUT };

	return sink_takes(w->sink, source) || p.fd == -1 || poll(&p, 1, 0) == 1;
}

/* Writes what is there of a sender, at most one frame. */
static int
write_some(struct work *w, uint32_t source, struct hp_err *e)
{
	struct arrival *a = &w->from[source];
	struct ring *r = w->flow->in[source];
	uint64_t n = atomic_load(&r->taken);
	int rc;

	if (a->ended || !ring_full(r, n))
		return 0;
	if (!a->ready && accept_frame(w, source, ring_at(r, n), e) == -1)
		return -1;
	if (!a->ready)
		return 0;
	rc = writable(w, source) ? sink_put(w->sink, source, ring_at(r, n), e)
				 : 0;
	if (rc == 1) {
		a->ready = false;
		take(w, source);
	} else if (rc == 0)
		w->fd[w->nfd++] = (struct pollfd){
			.fd = sink_poll_fd(w->sink, source), .events = POLLOUT
		};
	return rc;
}

/* Returns how many senders are not finished. */
static uint32_t
close_ended(struct work *w)
{
	uint32_t open = 0;

	for (uint32_t i = 0; i < w->flow->x->nodes; i++) {
		struct arrival *a = &w->from[i];

		if (a->ended && !a->closed)
			a->closed = sink_end(w->sink, i) == 1;
		open += !a->closed;
	}
	return open;
}

/* Waits for frames, for room in outputs, or for readers of FIFOs. */
static void
wait_for_any(struct work *w)
{
	int wait_ms = -1;

	if (w->unread) {
		wait_ms = (int)ceil(w->nap_s * 1e3);
		w->nap_s = fmin(2 * w->nap_s, NAP_MOST_S);
	}
	w->fd[w->nfd++] = (struct pollfd){ .fd = w->flow->to_writer,
		.events = POLLIN };
	poll(w->fd, w->nfd, wait_ms);
	localqueue_clear(w->flow->to_writer);
}

static int
write_all(struct work *w, struct hp_err *e)
{
	int unread;

	for (;;) {
		w->nfd = 0;
		w->moved = false;
		if ((unread = sink_retry(w->sink, e)) == -1)
			return -1;
		w->unread = unread > 0;
		for (uint32_t i = 0; i < w->flow->x->nodes; i++)
			if (write_some(w, i, e) == -1)
				return -1;
		if (close_ended(w) == 0)
			return 0;
		if (!w->moved)
			wait_for_any(w);
		else
			w->nap_s = NAP_S;
	}
}

static void *
run(void *of)
{
	struct output *o = of;
	struct flow *f = o->flow;
	struct work w = { .flow = f, .sink = o->sink, .nap_s = NAP_S };
	struct hp_err e = { 0 };
	int rc = -1;

	w.from = calloc(f->x->nodes, sizeof *w.from);
	w.fd = calloc(f->x->nodes + 1, sizeof *w.fd);
	if (w.from == NULL || w.fd == NULL)
		hp_fail_errno(&e, HP_NOMEM, "%u nodes", f->x->nodes);
	else
		rc = write_all(&w, &e);
	for (uint32_t i = 0; rc == 0 && i < f->x->nodes; i++) {
		f->totals.records += w.from[i].totals.records;
		f->totals.bytes += w.from[i].totals.bytes;
	}
	free(w.from);
	free(w.fd);
	if (rc == -1) {
		flow_fail(f, FLOW_WRITER, &e);
		return NULL;
	}
	atomic_store(&f->stored, true);
	flow_wake(f->to_main);
	return NULL;
}

int
output_start(struct output *o, struct hp_err *e)
{
	int err = pthread_create(&o->thread, NULL, run, o);

	if (err == 0)
		return 0;
	hp_fail(e, HP_IO, "thread");
	e->errnum = err;
	return -1;
}

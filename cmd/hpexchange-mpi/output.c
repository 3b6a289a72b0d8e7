#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>

#include "net/localqueue.h"
#include "output.h"

/*
 * Seconds until the writer tries again to open FIFOs that have no reader.  The
 * delay doubles up to NAP_MOST_S.
 */
static const double NAP_S = 0.001, NAP_MOST_S = 0.05;

/* What the writer knows about the frames from one sender. */
struct arrival {
	struct frame_totals totals;
	bool ready;  /* a verified frame is being written */
	bool inside; /* the last frame ends inside a record */
	bool ended;  /* the end frame has arrived */
	bool closed; /* the sink has closed this sender's output */
};

struct work {
	struct flow *flow;
	struct sink *sink;
	struct arrival *from; /* by rank */
	/* outputs that are full, and the eventfd of this thread */
	struct pollfd *fd;
	nfds_t nfd;
	/* this pass over the senders has written or accepted a frame */
	bool moved;
	bool unread; /* a FIFO has no reader */
	double nap_s;
};

/*
 * Gives the oldest frame buffer of a sender's ring back, and wakes the thread
 * that fills the ring.
 */
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

/*
 * Verifies a frame that came from another node in one message of p->pos bytes.
 */
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
		return bad(w, source,
		    "the length of the message differs from the header", e);
	if (frame_verify(p->bytes, framebuf_payload(p), name, e) == -1)
		return -1;
	if (p->frame.number != w->from[source].totals.frames)
		return bad(w, source, "the frame before it is missing", e);
	if (p->frame.type == FRAME_DATA &&
	    (p->frame.source != source || p->frame.sublist != w->flow->x->me))
		return bad(w, source, "is for another node", e);
	return 0;
}

/*
 * Verifies the next frame of a sender and prepares to write its records.  An
 * end frame is compared with the totals.
 */
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

/* Returns whether the output for a sender accepts bytes without blocking. */
static bool
writable(const struct work *w, uint32_t source)
{
	struct pollfd p = { .fd = sink_poll_fd(w->sink, source),
		.events = POLLOUT };

	return sink_takes(w->sink, source) || p.fd == -1 || poll(&p, 1, 0) == 1;
}

/*
 * Writes the next frame of a sender to its output, as far as the output accepts
 * bytes without blocking.
 */
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

/*
 * Closes the outputs of senders that have sent all.  Returns how many senders
 * are not finished.
 */
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

/*
 * Waits until a frame arrives, an output accepts bytes, or it is time to try
 * FIFOs without a reader again.
 */
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

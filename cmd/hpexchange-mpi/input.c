#include <stdlib.h>
#include <unistd.h>

#include "input.h"
#include "net/framed.h"
#include "net/parts.h"

/* What the reader thread has sent to one node so far. */
struct lane {
	struct frame_totals totals;
	bool ended;
};

struct input {
	struct flow *flow;
	struct lane *lane; /* by rank */
	struct parts parts;
	struct framed framed;
};

/*
 * Returns the next free frame buffer in the ring to a node, or NULL if the ring
 * is full.
 */
static struct framebuf *
room(const struct input *in, uint32_t to)
{
	struct ring *r = in->flow->out[to];
	uint64_t n = atomic_load(&r->put);

	return ring_free(r, n) ? ring_at(r, n) : NULL;
}

static void
pass_on(struct input *in, uint32_t to)
{
	ring_put(in->flow->out[to]);
	flow_wake(
	    to == in->flow->x->me ? in->flow->to_writer : in->flow->to_main);
}

/*
 * Numbers a data frame, adds its checksum, and puts it into the ring to its
 * node.
 */
static void
put(struct input *in, uint32_t to, struct framebuf *p)
{
	struct lane *l = &in->lane[to];

	p->frame.number = l->totals.frames;
	p->len = FRAME_HEAD + p->frame.length;
	frame_count(&l->totals, &p->frame);
	/* A frame from the node to itself needs no checksum. */
	if (to != in->flow->x->me)
		frame_encode(&p->frame, framebuf_payload(p), p->bytes);
	pass_on(in, to);
}

/*
 * Puts the end frame into the ring to a node.  Returns false if the ring is
 * full.
 */
static bool
end(struct input *in, uint32_t to)
{
	struct framebuf *p = room(in, to);

	if (p == NULL)
		return false;
	p->frame = (struct frame){ .type = FRAME_END };
	p->len = FRAME_HEAD + FRAME_END_PAYLOAD;
	frame_end(&in->lane[to].totals, p->bytes);
	in->lane[to].ended = true;
	pass_on(in, to);
	return true;
}

/*
 * Reads the next frame of the file for a node into the ring.  Returns 1 if
 * there is one, or the end frame, 0 if the ring is full or the node has ended,
 * -1 on error.
 */
static int
next_part(struct input *in, uint32_t to, struct hp_err *e)
{
	struct framebuf *p = room(in, to);
	int rc;

	if (p == NULL || in->lane[to].ended)
		return 0;
	framebuf_clear(p);
	rc = parts_next(&in->parts, to, framebuf_payload(p), &p->frame, e);
	if (rc == 1)
		put(in, to, p);
	else if (rc == 0)
		end(in, to);
	return rc == -1 ? -1 : 1;
}

/*
 * Reads the extents of the input file.  Gives each node one frame in turn.  A
 * node whose ring is full is skipped.
 */
static int
read_parts(struct input *in, struct hp_err *e)
{
	const struct exchange *x = in->flow->x;
	uint32_t open;
	int rc, made;

	if (parts_open(&in->parts, x->path, x->part, x->nparts, x->me, x->nodes,
		e) == -1)
		return -1;
	in->parts.sum = x->sum;
	do {
		open = 0;
		made = 0;
		for (uint32_t k = 0; k < x->nodes; k++) {
			uint32_t to = (x->me + k) % x->nodes;

			if ((rc = next_part(in, to, e)) == -1)
				return -1;
			made += rc;
			open += !in->lane[to].ended;
		}
		if (made == 0 && open > 0)
			flow_wait(in->flow->to_reader, -1);
	} while (open > 0);
	return parts_sum_read(&in->parts, e);
}

/*
 * Puts a frame of standard input into the ring to its node.  Waits while that
 * ring is full.
 */
static void
put_framed(struct input *in)
{
	struct framed *s = &in->framed;
	uint32_t to = s->buf.frame.sublist;
	struct framebuf *p;

	while ((p = room(in, to)) == NULL)
		flow_wait(in->flow->to_reader, -1);
	framebuf_swap(p, &s->buf);
	framebuf_clear(&s->buf);
	put(in, to, p);
	s->ready = false;
}

static int
read_framed(struct input *in, struct hp_err *e)
{
	const struct exchange *x = in->flow->x;

	if (framed_init(&in->framed, STDIN_FILENO, "standard input", x->me,
		x->nodes, e) == -1)
		return -1;
	while (in->framed.state != FRAMED_DONE) {
		if (framed_read(&in->framed, e) == -1)
			return -1;
		if (in->framed.ready)
			put_framed(in);
	}
	for (uint32_t i = 0; i < x->nodes; i++)
		while (!end(in, i))
			flow_wait(in->flow->to_reader, -1);
	return 0;
}

static void *
run(void *of)
{
	struct input in = { .flow = of, .parts = { .fd = -1 } };
	const struct exchange *x = in.flow->x;
	struct hp_err e = { 0 };
	int rc = -1;

	if ((in.lane = calloc(x->nodes, sizeof *in.lane)) == NULL)
		hp_fail_errno(&e, HP_NOMEM, "%u nodes", x->nodes);
	else
		rc = x->path != NULL ? read_parts(&in, &e)
				     : read_framed(&in, &e);
	if (rc == -1)
		flow_fail(in.flow, FLOW_READER, &e);
	parts_close(&in.parts);
	framed_fini(&in.framed);
	free(in.lane);
	return NULL;
}

int
input_start(pthread_t *t, struct flow *f, struct hp_err *e)
{
	int err = pthread_create(t, NULL, run, f);

	if (err == 0)
		return 0;
	hp_fail(e, HP_IO, "thread");
	e->errnum = err;
	return -1;
}

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "input.h"
#include "mover.h"
#include "net/sink.h"
#include "node.h"
#include "output.h"
#include "talk.h"

/*
 * The main thread polls, because MPI has no descriptors to wait for.  After
 * YIELDS polls without a message, it sleeps between polls, for a time that
 * grows from DOZE_S to DOZE_MOST_S.  That leaves the processor to the reader,
 * the writer and the other nodes.
 */
enum {
	YIELDS = 8
};
static const double DOZE_S = 20e-6, DOZE_MOST_S = 2e-3;

struct node {
	struct flow flow;
	struct mover mover;
	struct talk talk;
	struct sink sink;
	struct output writer;
	pthread_t reader;
	struct pair *pair; /* by rank */
};

struct pair {
	uint64_t sends;	   /* frames handed to MPI */
	uint64_t receives; /* buffers given to MPI */
	bool ended;	   /* the last frame was the end frame */
};

static bool
next(void *of, uint32_t to, const void **buf, size_t *len)
{
	struct node *n = of;
	struct pair *p = &n->pair[to];
	struct ring *r = n->flow.out[to];

	if (!ring_full(r, p->sends))
		return false;
	*buf = ring_at(r, p->sends)->bytes;
	*len = ring_at(r, p->sends)->len;
	p->ended = ring_at(r, p->sends)->frame.type == FRAME_END;
	p->sends++;
	return true;
}

static void
sent(void *of, uint32_t to)
{
	struct node *n = of;

	ring_take(n->flow.out[to]);
	flow_wake(n->flow.to_reader);
}

static bool
room(void *of, uint32_t from, void **buf, size_t *size)
{
	struct node *n = of;
	struct pair *p = &n->pair[from];
	struct ring *r = n->flow.in[from];

	if (!ring_free(r, p->receives))
		return false;
	*buf = ring_at(r, p->receives)->bytes;
	*size = FRAME_HEAD + FRAME_MAX;
	p->receives++;
	return true;
}

static void
came(void *of, uint32_t from, size_t len)
{
	struct node *n = of;
	struct ring *r = n->flow.in[from];
	struct framebuf *p = ring_at(r, atomic_load(&r->put));

	framebuf_clear(p);
	p->pos = len;
	ring_put(r);
	flow_wake(n->flow.to_writer);
	watch_heard(n->talk.watch, from);
}

/*
 * Once the records of all nodes are stored here, allows the "stored" note to
 * each peer that has received all frames of this node.
 */
static void
close_pairs(struct node *n)
{
	uint32_t nodes = n->flow.x->nodes;

	if (!atomic_load(&n->flow.stored))
		return;
	for (uint32_t i = 0; i < nodes; i++)
		if (i != n->flow.x->me && n->pair[i].ended &&
		    mover_sent(&n->mover, i))
			talk_close(&n->talk, i);
}

static void
doze(struct node *n, unsigned idle)
{
	if (idle < YIELDS)
		sched_yield();
	else
		flow_wait(n->flow.to_main,
		    fmin(ldexp(DOZE_S,
			     (int)(idle - YIELDS < 16 ? (idle - YIELDS) / 4
						      : 16)),
			DOZE_MOST_S));
}

/* Fails with the error of the reader or writer thread, if one has failed. */
static int
check_threads(const struct node *n, struct hp_err *e)
{
	for (int i = 0; i < FLOW_PARTS; i++)
		if (atomic_load(&n->flow.failed[i])) {
			*e = n->flow.error[i];
			return -1;
		}
	return 0;
}

/* Sends and receives frames until all nodes have stored the records of all. */
static int
move(struct node *n, struct hp_err *e)
{
	unsigned idle = 0;
	uint32_t rank;
	int moved, noted;

	while (!atomic_load(&n->flow.stored) || !talk_over(&n->talk)) {
		if (check_threads(n, e) == -1 ||
		    (noted = talk_step(&n->talk, e)) == -1 ||
		    (moved = mover_step(&n->mover, &rank, e)) == -1)
			return -1;
		close_pairs(n);
		if (moved + noted > 0)
			idle = 0;
		else
			doze(n, idle++);
	}
	return 0;
}

struct node *
node_new(const char *const *name, uint32_t nodes, uint32_t me, struct watch *w,
    struct hp_err *e)
{
	struct node *n = calloc(1, sizeof *n);

	if (n == NULL || (n->pair = calloc(nodes, sizeof *n->pair)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
		free(n);
		return NULL;
	}
	if (talk_init(&n->talk, name, nodes, me, w, e) == -1) {
		free(n->pair);
		free(n);
		return NULL;
	}
	return n;
}

int
node_run(struct node *n, const struct exchange *x, uint32_t window,
    struct exchange_totals *totals, struct hp_err *e)
{
	const struct mover_ends ends = { next, sent, room, came, n };

	n->writer = (struct output){ .flow = &n->flow, .sink = &n->sink };
	if (mover_init(&n->mover, &ends, x->nodes, x->me, window, e) == -1 ||
	    flow_init(&n->flow, x, window, e) == -1 ||
	    sink_open(&n->sink, x->prefix, NULL, false, x->nodes, e) == -1 ||
	    output_start(&n->writer, e) == -1 ||
	    input_start(&n->reader, &n->flow, e) == -1 || move(n, e) == -1)
		return -1;
	pthread_join(n->reader, NULL);
	pthread_join(n->writer.thread, NULL);
	mover_cancel(&n->mover);
	/*
	 * The reader computes the checksums after its last frame, so wait for
	 * its end.
	 */
	if (check_threads(n, e) == -1)
		return -1;
	*totals = n->flow.totals;
	return sink_commit(&n->sink, e);
}

void
node_quit(struct node *n, const struct hp_err *e)
{
	char why[NOTE_TEXT + 1];

	snprintf(why, sizeof why, "%.160s%s%s", e->text,
	    e->errnum != 0 ? ": " : "",
	    e->errnum != 0 ? strerror(e->errnum) : "");
	talk_quit(&n->talk, why);
}

void
node_free(struct node *n)
{
	if (n == NULL)
		return;
	sink_close(&n->sink);
	talk_fini(&n->talk);
	mover_fini(&n->mover);
	flow_fini(&n->flow);
	free(n->pair);
	free(n);
}

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "mover.h"
#include "talk.h"

enum {
	TAG_TALK = 2
};

static const double BEAT_S = 0.5;
/*
 * Seconds that a failing node waits until the other nodes have received its
 * quit note (QUIT_S), and then until they have printed it (PRINT_S).  mpirun
 * ends all processes soon after the first one ends.
 */
static const double QUIT_S = 2, PRINT_S = 0.5;

/*
 * Each peer has two MPI requests: one to send a note, and one to receive a
 * note.
 */
static MPI_Request *
sending(const struct talk *t, uint32_t rank)
{
	return &t->request[2 * (size_t)rank];
}

static MPI_Request *
receiving(const struct talk *t, uint32_t rank)
{
	return &t->request[2 * (size_t)rank + 1];
}

static int
listen_to(struct talk *t, uint32_t rank, struct hp_err *e)
{
	int rc = MPI_Irecv(t->peer[rank].in, NOTE_MAX, MPI_BYTE, (int)rank,
	    TAG_TALK, MPI_COMM_WORLD, receiving(t, rank));

	return rc == MPI_SUCCESS ? 0 : mover_failed(rc, t->name[rank], e);
}

int
talk_init(struct talk *t, const char *const *name, uint32_t nodes, uint32_t me,
    struct watch *w, struct hp_err *e)
{
	size_t n = 2 * (size_t)nodes;

	*t = (struct talk){ .nodes = nodes,
		.me = me,
		.hello = { .version = HELLO_VERSION,
		    .nodes = nodes,
		    .from = me,
		    .run = 1 },
		.name = name,
		.watch = w,
		.beat_s = fmin(w->timeout_s / 4, BEAT_S) };
	cluster_digest(name, nodes, t->hello.cluster);
	t->peer = calloc(nodes, sizeof *t->peer);
	t->request = calloc(n, sizeof *t->request);
	t->status = calloc(n, sizeof *t->status);
	t->done = calloc(n, sizeof *t->done);
	if (t->peer == NULL || t->request == NULL || t->status == NULL ||
	    t->done == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	for (size_t i = 0; i < n; i++)
		t->request[i] = MPI_REQUEST_NULL;
	t->peer[me].told = t->peer[me].parted = true;
	for (uint32_t i = 0; i < nodes; i++)
		if (i != me && listen_to(t, i, e) == -1)
			return -1;
	return 0;
}

void
talk_fini(struct talk *t)
{
	free(t->peer);
	free(t->request);
	free(t->status);
	free(t->done);
	*t = (struct talk){ 0 };
}

void
talk_close(struct talk *t, uint32_t rank)
{
	t->peer[rank].may_close = true;
}

/*
 * Writes the next note for a peer into its buffer.  Returns the length of the
 * note, or 0 if no note is due.
 */
static uint32_t
compose(struct talk *t, uint32_t rank, double now_s)
{
	struct talk_peer *p = &t->peer[rank];

	if (p->told)
		return 0;
	if (!p->greets) {
		t->hello.to = rank;
		hello_encode(&t->hello, p->out);
		p->greets = true;
		return HELLO_SIZE;
	}
	if (p->quit_len > 0) {
		memcpy(p->out, p->quit, p->quit_len);
		p->told = true;
		return p->quit_len;
	}
	if (p->may_close && !p->closes) {
		p->closes = true;
		return note_encode(NOTE_STORED, 0, "", p->out);
	}
	if (p->closes && p->stored) {
		p->told = true;
		return note_encode(NOTE_BYE, 0, "", p->out);
	}
	return now_s - p->said_s < t->beat_s
	    ? 0
	    : note_encode(NOTE_ALIVE, 0, "", p->out);
}

static int
say(struct talk *t, uint32_t rank, double now_s, struct hp_err *e)
{
	struct talk_peer *p = &t->peer[rank];
	uint32_t len;
	int rc;

	if (*sending(t, rank) != MPI_REQUEST_NULL ||
	    (len = compose(t, rank, now_s)) == 0)
		return 0;
	p->said_s = now_s;
	rc = MPI_Isend(p->out, (int)len, MPI_BYTE, (int)rank, TAG_TALK,
	    MPI_COMM_WORLD, sending(t, rank));
	return rc == MPI_SUCCESS ? 0 : mover_failed(rc, t->name[rank], e);
}

static int
take_hello(struct talk *t, uint32_t rank, uint32_t len, struct hp_err *e)
{
	struct hello theirs;
	enum verdict v;

	if (hello_decode(t->peer[rank].in, len, &theirs) != 1)
		return hp_fail(
		    e, HP_INPUT, "%s: sent no valid hello", t->name[rank]);
	if ((v = hello_judge(&theirs, &t->hello)) != VERDICT_WELCOME)
		return hp_fail(
		    e, HP_INPUT, "%s: %s", t->name[rank], verdict_text(v));
	t->peer[rank].greeted = true;
	return listen_to(t, rank, e);
}

/* Handles a note that has arrived from a peer. */
static int
take(struct talk *t, uint32_t rank, uint32_t len, struct hp_err *e)
{
	struct talk_peer *p = &t->peer[rank];
	struct note note;

	watch_heard(t->watch, rank);
	if (!p->greeted)
		return take_hello(t, rank, len, e);
	if (note_decode(p->in, len, &note) <= 0)
		return hp_fail(
		    e, HP_INPUT, "%s: sent a damaged note", t->name[rank]);
	switch (note.type) {
	case NOTE_ALIVE:
		return listen_to(t, rank, e);
	case NOTE_STORED:
		p->stored = true;
		return listen_to(t, rank, e);
	case NOTE_BYE:
		p->parted = true;
		watch_over(t->watch, rank);
		return 0;
	case NOTE_QUIT:
		t->quit = true;
		return hp_fail(
		    e, HP_LOST, "lost node %s: %s", t->name[rank], note.text);
	default:
		return hp_fail(
		    e, HP_INPUT, "%s: sent an unknown note", t->name[rank]);
	}
}

int
talk_step(struct talk *t, struct hp_err *e)
{
	double now_s = clock_now_s();
	int rc, n = 0, len;

	for (uint32_t i = 0; i < t->nodes; i++)
		if (i != t->me && say(t, i, now_s, e) == -1)
			return -1;
	rc = MPI_Testsome(
	    (int)(2 * t->nodes), t->request, &n, t->done, t->status);
	if (rc != MPI_SUCCESS)
		return mover_failed(rc, "MPI", e);
	if (n == MPI_UNDEFINED)
		n = 0;
	for (int i = 0; i < n; i++) {
		if (t->done[i] % 2 == 0)
			continue;
		MPI_Get_count(&t->status[i], MPI_BYTE, &len);
		if (take(t, (uint32_t)t->done[i] / 2, (uint32_t)len, e) == -1)
			return -1;
	}
	return n;
}

bool
talk_over(const struct talk *t)
{
	for (uint32_t i = 0; i < t->nodes; i++)
		if (!t->peer[i].parted || !t->peer[i].told ||
		    *sending(t, i) != MPI_REQUEST_NULL)
			return false;
	return true;
}

/* Returns whether the quit note is not yet sent to some peer. */
static bool
quitting(const struct talk *t)
{
	for (uint32_t i = 0; i < t->nodes; i++)
		if (!t->peer[i].told || *sending(t, i) != MPI_REQUEST_NULL)
			return true;
	return false;
}

void
talk_quit(struct talk *t, const char *why)
{
	double until_s = clock_now_s() + QUIT_S;
	struct hp_err ignored = { 0 };

	for (uint32_t i = 0; i < t->nodes && !t->quit; i++)
		if (!t->peer[i].told)
			t->peer[i].quit_len = note_encode(
			    NOTE_QUIT, t->me, why, t->peer[i].quit);
	while (!t->quit && quitting(t) && clock_now_s() < until_s) {
		talk_step(t, &ignored);
		usleep(1000);
	}
	until_s = clock_now_s() + PRINT_S;
	while (clock_now_s() < until_s) {
		talk_step(t, &ignored);
		usleep(10000);
	}
}

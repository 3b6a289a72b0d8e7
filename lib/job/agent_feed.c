/*
 * Feeds. A feed passes a stream from the launcher to the standard input of a
 * command.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_feed.h"
#include "job/agent_io.h"

/*
 * After a command has read this many bytes, the agent reports them to the
 * launcher. Reporting each read would cost many messages.
 */
#define PORTION (WIRE_WINDOW / 4)

int
feed_add(
    struct agent_step *s, uint32_t stream, size_t action, struct hp_err *why)
{
	struct agent_feed *more = reallocarray(
	    s->feed, s->nfeeds + 1, sizeof *s->feed);

	if (more == NULL)
		return hp_fail(why, HP_NOMEM, "agent");
	s->feed = more;
	s->feed[s->nfeeds++] = (struct agent_feed){
		.stream = stream, .action = action, .credit = WIRE_WINDOW
	};
	return 0;
}

void
feed_fini(struct agent_step *s)
{
	for (size_t i = 0; i < s->nfeeds; i++)
		free(s->feed[i].v);
	free(s->feed);
	s->feed = NULL;
	s->nfeeds = 0;
}

static struct agent_feed *
current(struct agent_step *s)
{
	for (size_t i = 0; i < s->nfeeds; i++)
		if (s->feed[i].action == s->at)
			return &s->feed[i];
	return NULL;
}

static void
close_pipe(struct agent *a, struct agent_step *s)
{
	agent_unwatch(a, &s->into);
	if (s->into.fd != -1)
		close(s->into.fd);
	s->into.fd = s->child.in = -1;
}

/* Drops the rest of the stream, because nobody reads it. */
static void
drop(struct agent *a, struct agent_step *s, struct agent_feed *f)
{
	close_pipe(a, s);
	free(f->v);
	f->v = NULL;
	f->held = 0;
	f->dropped = true;
}

/*
 * Counts n more bytes that the command's pipe has taken, and reports them to
 * the launcher in portions. The last bytes of the stream are reported at once,
 * so that the launcher learns when the command has taken its whole input.
 */
static int
give_credit(struct agent *a, struct agent_feed *f, size_t n, struct hp_err *e)
{
	struct message m = { .type = MESSAGE_CREDIT, .stream = f->stream };
	bool all = f->ended && f->held == 0;

	f->taken += n;
	if (f->taken == 0 || (f->taken < PORTION && !all))
		return 0;
	m.bytes = f->taken;
	f->credit += f->taken;
	f->taken = 0;
	return agent_send(a, &m, e);
}

/*
 * Writes as many bytes to the pipe as the pipe takes without blocking. Returns
 * the number of bytes written, or -1 if the command has closed its standard
 * input.
 */
static ssize_t
put(const struct agent_step *s, const void *bytes, size_t n)
{
	ssize_t got;

	do
		got = write(s->into.fd, bytes, n);
	while (got == -1 && errno == EINTR);
	return got == -1 && errno == EAGAIN ? 0 : got;
}

/*
 * Stores bytes in the feed's ring buffer until the pipe takes them. The
 * launcher may only send as many bytes as the ring buffer has room for.
 */
static int
hold(struct agent_feed *f, const unsigned char *bytes, size_t n,
    struct hp_err *e)
{
	size_t at, part;

	if (n == 0)
		return 0;
	if (f->v == NULL && (f->v = malloc(WIRE_WINDOW)) == NULL)
		return hp_fail(e, HP_NOMEM, "agent");
	at = (f->pos + f->held) % WIRE_WINDOW;
	part = n < WIRE_WINDOW - at ? n : WIRE_WINDOW - at;
	memcpy(f->v + at, bytes, part);
	memcpy(f->v, bytes + part, n - part);
	f->held += n;
	return 0;
}

int
feed_push(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	struct agent_feed *f = current(s);
	ssize_t n = 1;

	if (f == NULL || s->into.fd == -1)
		return 0;
	while (f->held > 0 && n > 0) {
		size_t part = WIRE_WINDOW - f->pos;

		n = put(s, f->v + f->pos, f->held < part ? f->held : part);
		if (n == -1) {
			drop(a, s, f);
			return 0;
		}
		f->pos = (f->pos + (size_t)n) % WIRE_WINDOW;
		f->held -= (size_t)n;
		if (give_credit(a, f, (size_t)n, e) == -1)
			return -1;
	}
	if (f->held > 0)
		return agent_watch(a, &s->into, e);
	/*
	 * The ring buffer is empty. Start again at its beginning, which is more
	 * likely to be in the processor's cache.
	 */
	f->pos = 0;
	agent_unwatch(a, &s->into);
	if (!f->ended)
		return 0;
	close_pipe(a, s);
	return give_credit(a, f, 0, e);
}

int
feed_begin(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	s->into.fd = s->child.in;
	return feed_push(a, s, e);
}

void
feed_end(struct agent *a, struct agent_step *s)
{
	struct agent_feed *f = current(s);

	if (f != NULL)
		drop(a, s, f);
}

static int
take(struct agent *a, struct agent_step *s, struct agent_feed *f,
    const unsigned char *bytes, size_t n, struct hp_err *e)
{
	bool reads = f->action == s->at && s->into.fd != -1;
	ssize_t done = 0;

	/*
	 * If no earlier bytes wait, write these bytes to the pipe at once. The
	 * pipe usually has room, so the bytes need not be copied to the ring
	 * buffer.
	 */
	if (reads && f->held == 0 && (done = put(s, bytes, n)) == -1) {
		drop(a, s, f);
		return 0;
	}
	if (give_credit(a, f, (size_t)done, e) == -1 ||
	    hold(f, bytes + done, n - (size_t)done, e) == -1)
		return -1;
	return reads && f->held > 0 ? agent_watch(a, &s->into, e) : 0;
}

int
feed_data(struct agent *a, struct agent_step *s, struct agent_feed *f,
    const unsigned char *bytes, size_t n, struct hp_err *e)
{
	if (f->ended)
		return hp_fail(
		    e, HP_INPUT, "agent: data behind the end of a stream");
	if (n > f->credit)
		return hp_fail(
		    e, HP_INPUT, "agent: more data than the credit allows");
	f->credit -= n;
	s->wrote += n;
	/* The step may have skipped the command. */
	if (f->dropped || f->action < s->at)
		return 0;
	if (n > 0)
		return take(a, s, f, bytes, n, e);
	f->ended = true;
	return f->action == s->at ? feed_push(a, s, e) : 0;
}

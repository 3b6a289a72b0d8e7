#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "job/wire.h"
#include "job/wire_noise.h"
#include "record/frame.h"

enum {
	/*
	 * maximum bytes to read per turn, so that one connection does not delay
	 * the others
	 */
	READ_MOST = 64 << 10,
	READ_LEAST = 4 << 10 /* bytes: room for some short messages */
};

/*
 * Makes room for n more bytes. `twice` is set for a queue, which doubles its
 * space, because it grows often. A read buffer gets no spare room, because
 * thousands of connections may each wait for the rest of a frame.
 */
static int
make_room(struct wire_buf *b, size_t n, bool twice, struct hp_err *e)
{
	unsigned char *v;
	size_t cap;

	/*
	 * While a queue has room at its end, do not move its bytes to the
	 * beginning.
	 */
	if (twice && b->cap - b->len >= n)
		return 0;
	if (b->pos > 0) {
		memmove(b->v, b->v + b->pos, b->len - b->pos);
		b->len -= b->pos;
		b->pos = 0;
	}
	if (b->cap - b->len >= n)
		return 0;
	cap = (b->len + n + READ_LEAST - 1) / READ_LEAST * READ_LEAST;
	if (twice)
		cap *= 2;
	if ((v = realloc(b->v, cap)) == NULL)
		return hp_fail(e, HP_NOMEM, "connection");
	b->v = v;
	b->cap = cap;
	return 0;
}

static void
release_if_empty(struct wire_buf *b)
{
	if (b->pos < b->len)
		return;
	free(b->v);
	*b = (struct wire_buf){ 0 };
}

static size_t
held(const struct wire_buf *b)
{
	return b->len - b->pos;
}

/*
 * Makes a pipe non-blocking.  A socket keeps its flags, as other processes of
 * the login may share it; each call passes MSG_DONTWAIT instead.
 */
static int
set_nonblocking(int fd, bool *is_socket, struct hp_err *e)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	*is_socket = fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
	if (*is_socket)
		return 0;
	if (flags == -1 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) == -1)
		return hp_fail_errno(e, HP_IO, "connection");
	return 0;
}

static int
queue_head(struct wire *w, struct hp_err *e)
{
	if (make_room(&w->queue, FRAME_STREAM_HEAD, false, e) == -1)
		return -1;
	frame_stream_head(w->queue.v);
	w->queue.len = FRAME_STREAM_HEAD;
	return 0;
}

int
wire_init(struct wire *w, enum wire_role role, int in, int out,
    const char *name, struct hp_err *e)
{
	*w = (struct wire){ .role = role, .in = in, .out = out, .name = name };
	if (set_nonblocking(in, &w->in_socket, e) == -1 ||
	    set_nonblocking(out, &w->out_socket, e) == -1)
		return -1;
	return queue_head(w, e);
}

int
wire_init_channel(struct wire *w, enum wire_role role, struct channel *channel,
    const char *name, struct hp_err *e)
{
	*w = (struct wire){ .role = role,
		.in = -1,
		.out = -1,
		.channel = channel,
		.name = name };
	return queue_head(w, e);
}

void
wire_fini(struct wire *w)
{
	free(w->read.v);
	free(w->queue.v);
	*w = (struct wire){ .in = -1, .out = -1 };
}

bool
wire_ahead(const struct wire *w)
{
	struct pollfd p;

	return w->channel != NULL && channel_watch(w->channel, &p, true, false);
}

/*
 * Fails with HP_LOST, because reading or writing failed. errno says why, but a
 * channel may know more.
 */
static int
fail_lost(const struct wire *w, struct hp_err *e)
{
	if (w->channel != NULL)
		return hp_fail(
		    e, HP_LOST, "%s: %s", w->name, channel_why(w->channel));
	return hp_fail_errno(e, HP_LOST, "%s", w->name);
}

/*
 * Returns the number of bytes that the current frame still needs; 0 if unknown.
 */
static size_t
lacking(const struct wire *w)
{
	const unsigned char *p;
	size_t whole = FRAME_HEAD;

	if (!w->begun || held(&w->read) < FRAME_HEAD)
		return 0;
	p = w->read.v + w->read.pos;
	/*
	 * Limit the length in the frame's head, because wire_next may not have
	 * checked it yet.
	 */
	whole += get32(p + 12) < MESSAGE_MOST ? get32(p + 12) : MESSAGE_MOST;
	return whole > held(&w->read) ? whole - held(&w->read) : 0;
}

static ssize_t
get(const struct wire *w, void *to, size_t n)
{
	if (w->channel != NULL)
		return channel_read(w->channel, to, n);
	return w->in_socket ? recv(w->in, to, n, MSG_DONTWAIT)
			    : read(w->in, to, n);
}

static ssize_t
put(const struct wire *w, const void *from, size_t n)
{
	if (w->channel != NULL)
		return channel_write(w->channel, from, n);
	return w->out_socket
	    ? send(w->out, from, n, MSG_DONTWAIT | MSG_NOSIGNAL)
	    : write(w->out, from, n);
}

int
wire_read(struct wire *w, struct hp_err *e)
{
	size_t n = lacking(w);
	ssize_t got;

	if (n < READ_LEAST)
		n = w->busy ? READ_MOST : READ_LEAST;
	if (make_room(&w->read, n, false, e) == -1)
		return -1;
	n = w->read.cap - w->read.len;
	do
		got = get(
		    w, w->read.v + w->read.len, n < READ_MOST ? n : READ_MOST);
	while (got == -1 && errno == EINTR);
	w->busy = got >= READ_LEAST;
	if (got > 0) {
		w->read.len += (size_t)got;
		return 1;
	}
	if (got == -1 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		release_if_empty(&w->read);
		return 0;
	}
	if (got == 0)
		return hp_fail(e, HP_LOST, "%s: connection closed", w->name);
	return fail_lost(w, e);
}

int
wire_feed(struct wire *w, const void *bytes, size_t n, struct hp_err *e)
{
	if (make_room(&w->read, n, false, e) == -1)
		return -1;
	if (n > 0)
		memcpy(w->read.v + w->read.len, bytes, n);
	w->read.len += n;
	return 0;
}

/* Checks that a frame's head has values that are allowed on this connection. */
static int
check_head(const struct wire *w, const struct frame *f, struct hp_err *e)
{
	size_t most = f->sublist > 0   ? WIRE_DATA
	    : w->role == WIRE_LAUNCHER ? WIRE_ANSWER
				       : MESSAGE_MOST;

	if (f->type != FRAME_DATA || f->source != 0 || f->records != 0 ||
	    f->flags != 0 || f->length > most)
		return hp_fail(e, HP_INPUT,
		    "%s: a frame is not of this protocol", w->name);
	if (f->number != w->next_in)
		return hp_fail(e, HP_INPUT, "%s: a frame is missing", w->name);
	return 0;
}

static int
take_message(struct wire *w, const unsigned char *p, size_t n,
    struct message *m, struct hp_err *e)
{
	struct hp_err why = { 0 };

	if (message_read((const char *)p, n, m, &why) == -1) {
		message_fini(m);
		return hp_fail(e, why.kind, "%s: %s", w->name, why.text);
	}
	if (w->role == WIRE_LAUNCHER ? message_of_agent(m->type)
				     : message_of_launcher(m->type))
		return 0;
	message_fini(m);
	return hp_fail(
	    e, HP_INPUT, "%s: a message goes the wrong way", w->name);
}

int
wire_next(struct wire *w, struct wire_event *event, struct hp_err *e)
{
	const unsigned char *p;
	struct frame f;
	int rc;

	*event = (struct wire_event){ 0 };
	if (held(&w->read) == 0) {
		release_if_empty(&w->read);
		return 0;
	}
	if ((rc = wire_noise(w, event, e)) != 0)
		return rc;
	if (!w->begun || held(&w->read) < FRAME_HEAD) {
		release_if_empty(&w->read);
		return 0;
	}
	p = w->read.v + w->read.pos;
	if (frame_decode(p, &f, w->name, e) == -1 || check_head(w, &f, e) == -1)
		return -1;
	if (held(&w->read) - FRAME_HEAD < f.length)
		return 0;
	if (frame_verify(p, p + FRAME_HEAD, w->name, e) == -1)
		return -1;
	w->next_in++;
	w->read.pos += FRAME_HEAD + f.length;
	event->stream = f.sublist;
	event->bytes = p + FRAME_HEAD;
	event->len = f.length;
	event->kind = f.sublist > 0 ? WIRE_BYTES : WIRE_MESSAGE;
	if (event->kind == WIRE_MESSAGE &&
	    take_message(w, event->bytes, event->len, &event->message, e) == -1)
		return -1;
	return 1;
}

unsigned char *
wire_room(struct wire *w, size_t n, struct hp_err *e)
{
	if (make_room(&w->queue, FRAME_HEAD + n, true, e) == -1)
		return NULL;
	return w->queue.v + w->queue.len + FRAME_HEAD;
}

void
wire_filled(struct wire *w, uint32_t stream, size_t n)
{
	struct frame f = { .type = FRAME_DATA,
		.sublist = stream,
		.length = (uint32_t)n,
		.number = w->next_out++ };
	unsigned char *p = w->queue.v + w->queue.len;

	frame_encode(&f, p + FRAME_HEAD, p);
	w->queue.len += FRAME_HEAD + n;
}

static int
put_frame(struct wire *w, uint32_t stream, const void *payload, size_t n,
    struct hp_err *e)
{
	unsigned char *p = wire_room(w, n, e);

	if (p == NULL)
		return -1;
	if (n > 0)
		memcpy(p, payload, n);
	wire_filled(w, stream, n);
	return 0;
}

int
wire_send(struct wire *w, const struct message *m, struct hp_err *e)
{
	size_t len;
	char *text = message_write(m, &len, e);
	int rc;

	if (text == NULL)
		return -1;
	rc = put_frame(w, 0, text, len, e);
	free(text);
	return rc;
}

int
wire_data(struct wire *w, uint32_t stream, const void *bytes, size_t n,
    struct hp_err *e)
{
	if (stream == 0 || n > WIRE_DATA)
		return hp_fail(e, HP_USAGE, "%s: no such frame", w->name);
	return put_frame(w, stream, bytes, n, e);
}

int
wire_flush(struct wire *w, struct hp_err *e)
{
	struct wire_buf *q = &w->queue;

	while (q->pos < q->len) {
		ssize_t n = put(w, q->v + q->pos, q->len - q->pos);

		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (n == -1)
			return fail_lost(w, e);
		q->pos += (size_t)n;
	}
	release_if_empty(q);
	return 0;
}

#ifndef HP_JOB_WIRE_H
#define HP_JOB_WIRE_H

/*
 * One end of the connection between launcher and agent, hp-agent(5).  Nothing
 * here blocks: the descriptors are made non-blocking, and an event loop waits
 * for room to write while wire_queued is above 0.
 *
 *	in readable:	if (wire_read(&w, &e) == -1) it is lost;
 *			while ((rc = wire_next(&w, &event, &e)) == 1)
 *				...
 *	out writable:	wire_flush(&w, &e);
 *
 * An idle wire has no buffers: a launcher has one for each machine.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "doc/message.h"

#define WIRE_DATA ((size_t)64 << 10)	     /* longest payload of data */
#define WIRE_CHUNK (((size_t)32 << 10) - 48) /* best length of data */
#define WIRE_NOISE ((size_t)64 << 10)	/* printed by a login before the head */
#define WIRE_FULL ((size_t)256 << 10)	/* queued bytes: make no more */
#define WIRE_ANSWER ((size_t)128 << 10) /* longest message of an agent */

enum wire_role {
	WIRE_LAUNCHER, /* this end is the launcher: noise may come first */
	WIRE_AGENT
};

struct wire_buf {
	unsigned char *v;
	size_t pos, len, cap; /* the bytes are those from pos to len */
};

struct wire {
	int in, out; /* may be the same */
	bool in_socket, out_socket;
	enum wire_role role;
	const char *name; /* of the other end, for errors; borrowed */
	struct wire_buf read, queue;
	bool begun;		    /* the other end's head has come */
	size_t noise;		    /* bytes that came before it */
	uint64_t next_in, next_out; /* numbers of frames */
};

enum wire_kind {
	WIRE_MESSAGE,
	WIRE_BYTES,  /* data of a stream; none: the stream ends */
	WIRE_PRINTED /* a line that a login printed before the agent's head */
};

struct wire_event {
	enum wire_kind kind;
	struct message message; /* WIRE_MESSAGE: the caller's to finish */
	uint32_t stream;	/* WIRE_BYTES */
	/* WIRE_BYTES, WIRE_PRINTED: valid until the next call; no NUL ends it.
	 */
	const unsigned char *bytes;
	size_t len;
};

/* Queues this end's head.  The descriptors stay the caller's. */
int wire_init(struct wire *, enum wire_role, int in, int out, const char *name,
    struct hp_err *);
/* Harmless on a zeroed struct. */
void wire_fini(struct wire *);

/*
 * Reads what has come, at most 64 KiB: 1; 0 when nothing has; -1 when the
 * other end has closed or the connection broke, HP_LOST, with nothing more to
 * be got from wire_next than before.
 */
int wire_read(struct wire *, struct hp_err *);
/* The same with bytes that the caller has. */
int wire_feed(struct wire *, const void *, size_t, struct hp_err *);
/*
 * The next event of what was read: 1; 0 when there is none yet; -1 when the
 * other end broke the protocol, HP_INPUT, or memory is out.
 */
int wire_next(struct wire *, struct wire_event *, struct hp_err *);

/* Both queue, and write nothing.  HP_NOMEM, or HP_USAGE if it is too long. */
int wire_send(struct wire *, const struct message *, struct hp_err *);
/* At most WIRE_DATA bytes; none: the end of the stream, which is above 0. */
int wire_data(
    struct wire *, uint32_t stream, const void *, size_t, struct hp_err *);
/* Writes what is queued, as much as there is room for.  -1: HP_LOST. */
int wire_flush(struct wire *, struct hp_err *);
static inline size_t
wire_queued(const struct wire *w)
{
	return w->queue.len - w->queue.pos;
}

#endif

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
#include "link/channel.h"

#define WIRE_DATA ((size_t)64 << 10) /* longest payload of a data frame */
#define WIRE_CHUNK (WIRE_DATA - 48)  /* preferred length of data */
/*
 * maximum number of bytes that a login may print before the head with which the
 * agent's messages begin
 */
#define WIRE_NOISE ((size_t)64 << 10)
#define WIRE_FULL ((size_t)256 << 10) /* queued bytes: senders pause */
/*
 * Number of bytes of a stream that the agent must hold if a command does not
 * read them. At 1 Gbit/s, this many bytes are sent in 34 ms.
 */
#define WIRE_WINDOW ((size_t)4 << 20)
#define WIRE_ANSWER ((size_t)128 << 10) /* longest message of an agent */

enum wire_role {
	/*
	 * this end is the launcher, so the login may print text before the
	 * agent's data
	 */
	WIRE_LAUNCHER,
	WIRE_AGENT
};

struct wire_buf {
	unsigned char *v;
	/*
	 * the bytes from offset pos to offset len have not been handled or sent
	 * yet
	 */
	size_t pos, len, cap;
};

struct wire {
	int in, out; /* may be the same */
	bool in_socket, out_socket;
	/* an encrypted connection; NULL: the connection is `in` and `out` */
	struct channel *channel;
	enum wire_role role;
	/* name of the other end for error messages; the caller owns it */
	const char *name;
	struct wire_buf read, queue;
	bool begun; /* the other end's stream head has arrived */
	/* the last read brought much: data is on its way, so read more */
	bool busy;
	size_t noise;		    /* bytes before that head */
	uint64_t next_in, next_out; /* numbers of frames */
};

enum wire_kind {
	WIRE_MESSAGE,
	WIRE_BYTES, /* data of a stream; 0 bytes mean the end of the stream */
	/* a line that the login printed before the agent started its stream */
	WIRE_PRINTED
};

struct wire_event {
	enum wire_kind kind;
	struct message message; /* WIRE_MESSAGE: the caller's to finish */
	uint32_t stream;	/* WIRE_BYTES */
	/*
	 * For WIRE_BYTES and WIRE_PRINTED: the bytes. They are valid until the
	 * next call, and no NUL follows them.
	 */
	const unsigned char *bytes;
	size_t len;
};

/*
 * Prepares a connection. Queues the stream head: the bytes with which each end
 * starts. The caller closes the descriptors.
 */
int wire_init(struct wire *, enum wire_role, int in, int out, const char *name,
    struct hp_err *);
/*
 * Does the same for a channel, which the caller closes later. Reading and
 * writing continue the channel's handshake.
 */
int wire_init_channel(struct wire *, enum wire_role, struct channel *,
    const char *name, struct hp_err *);
/* Harmless on a zeroed struct. */
void wire_fini(struct wire *);
/*
 * Returns whether wire_read would return bytes that an event loop does not
 * report: the channel has received and decrypted them already.
 */
bool wire_ahead(const struct wire *);

/*
 * Reads at most 64 KiB. Returns 1 if it read data, and 0 if no data is
 * available. Returns -1 with HP_LOST if the connection was closed or broke.
 * After that, wire_next has no new events.
 */
int wire_read(struct wire *, struct hp_err *);
/*
 * Does the same as wire_read, but for bytes that the caller has already read
 * from the connection.
 */
int wire_feed(struct wire *, const void *, size_t, struct hp_err *);
/*
 * Returns 1 and the next event, or returns 0 if no event is complete yet.
 * Returns -1 with HP_INPUT if the other end broke the protocol, or with
 * HP_NOMEM.
 */
int wire_next(struct wire *, struct wire_event *, struct hp_err *);

/*
 * Queues a message. wire_flush sends it. Fails with HP_NOMEM, or with HP_USAGE
 * if the message is too long.
 */
int wire_send(struct wire *, const struct message *, struct hp_err *);
/*
 * Queues data of a stream: at most WIRE_DATA bytes; 0 bytes end the stream.
 * Stream numbers are above 0.
 */
int wire_data(
    struct wire *, uint32_t stream, const void *, size_t, struct hp_err *);
/*
 * Does the same as wire_data without a copy. Returns room for n bytes of data,
 * at most WIRE_DATA, or NULL with HP_NOMEM. The caller writes the data into
 * this room. Then it calls wire_filled before any other function of the wire.
 */
unsigned char *wire_room(struct wire *, size_t n, struct hp_err *);
/*
 * Queues the first n bytes of the room that wire_room has returned. 0 bytes end
 * the stream.
 */
void wire_filled(struct wire *, uint32_t stream, size_t n);
/*
 * Writes as much of the queue as the connection takes now. Fails with HP_LOST.
 */
int wire_flush(struct wire *, struct hp_err *);
static inline size_t
wire_queued(const struct wire *w)
{
	return w->queue.len - w->queue.pos;
}

#endif

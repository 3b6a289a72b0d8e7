#ifndef HP_LINK_CHANNEL_H
#define HP_LINK_CHANNEL_H

/*
 * A connection between two nodes: a stream of bytes in each direction.  Every
 * transport provides its channels by a table of functions.  No function here
 * blocks.
 *
 * A channel is a small struct and may be copied like a file descriptor.  Close
 * only one of the copies.  Only one thread may use a channel at a time.
 *
 * An encrypted channel may have decrypted bytes that poll(2) does not know of,
 * and may have to write before it can read.  A poll loop therefore calls
 * channel_watch before poll(2) and channel_polled after it.
 */

#include <sys/types.h>

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct channel;

/*
 * The functions that each kind of channel implements. For descriptions, see the
 * functions channel_* below.
 */
struct channel_ops {
	ssize_t (*read)(struct channel *, void *, size_t);
	ssize_t (*write)(struct channel *, const void *, size_t);
	/* NULL: this kind cannot pass descriptors. */
	ssize_t (*pass)(struct channel *, const void *, size_t, int fd);
	int (*write_first)(struct channel *, const void *, size_t);
	bool (*watch)(
	    const struct channel *, struct pollfd *, bool in, bool out);
	short (*polled)(const struct channel *, const struct pollfd *);
	const char *(*why)(const struct channel *);
	const char *(*peer)(const struct channel *);
	/*
	 * Frees the state of the channel. channel_close itself closes the
	 * descriptor. NULL: there is no state to free.
	 */
	void (*close)(struct channel *);
};

struct channel {
	const struct channel_ops *ops;
	int fd;	     /* -1: closed */
	void *state; /* state of the channel: NULL, or a struct tls */
	int passed;  /* descriptor that was received; -1: none */
};

/* Bytes of a descriptor, unchanged. */
extern const struct channel_ops channel_plain;

#define CHANNEL_NONE \
	((struct channel){ .ops = &channel_plain, .fd = -1, .passed = -1 })

static inline bool
channel_is_open(const struct channel *c)
{
	return c->fd != -1;
}

/*
 * Returns a plain channel. The descriptor must not block. channel_close closes
 * it.
 */
struct channel channel_of(int fd);
/* Returns a channel of a unix socket, which can also pass descriptors. */
struct channel channel_of_unix(int fd);
/*
 * Closes the channel and sets it to CHANNEL_NONE. Closing CHANNEL_NONE does
 * nothing.
 */
void channel_close(struct channel *);

/*
 * Like read(2) and write(2) on a descriptor that does not block.  Both return
 * -1 with EAGAIN or EINTR when the caller must try again, and -1 with another
 * errno when the channel is broken.  A read returns 0 when the peer has closed
 * the channel.  After EAGAIN a write must be repeated with the same bytes; more
 * bytes may follow them.  Errors of the protocol are ECONNRESET, and EACCES
 * when the peer failed authentication, where a retry would fail as well.
 */
ssize_t channel_read(struct channel *, void *, size_t);
ssize_t channel_write(struct channel *, const void *, size_t);

/* Whether channel_pass works on this channel. */
bool channel_can_pass(const struct channel *);
/*
 * Writes like channel_write, and passes a descriptor together with the first
 * byte.
 */
ssize_t channel_pass(struct channel *, const void *, size_t, int fd);
/* Refuses all further descriptors from the peer. */
void channel_stop_passing(struct channel *);

/*
 * Writes the first bytes on a new channel, at most 256. If needed, the channel
 * stores them and writes them later, so that the caller need not repeat the
 * call. Returns 0, or -1 when the peer has closed the connection.
 */
int channel_write_first(struct channel *, const void *, size_t);

/*
 * After an error or the end of the stream, returns a text that says what the
 * peer did, for messages. The string outlives the channel.
 */
const char *channel_why(const struct channel *);
/*
 * Returns the address of the peer of an accepted connection, for messages. The
 * string is valid until channel_close.
 */
const char *channel_peer(const struct channel *);

/*
 * Fills in an element of a poll(2) set. `in` and `out` say whether the caller
 * wants to read or write. For CHANNEL_NONE no events are set. Returns true when
 * poll(2) must not wait, because bytes have already arrived.
 */
bool channel_watch(const struct channel *, struct pollfd *, bool in, bool out);
/*
 * Returns which of POLLIN and POLLOUT the caller may try after poll(2). An
 * error or the end of the stream counts as POLLIN, even if the caller did not
 * want to read.
 */
short channel_polled(const struct channel *, const struct pollfd *);

#endif

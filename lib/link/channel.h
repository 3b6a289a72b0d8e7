#ifndef HP_LINK_CHANNEL_H
#define HP_LINK_CHANNEL_H

/*
 * A connection between two nodes, as bytes in both directions, whatever the
 * transport made it of.  Nothing here blocks.  A channel is a small struct that
 * may be copied, as a descriptor may: one of the copies is to be closed, once.
 * Only one thread uses it at a time.
 *
 * A poll loop asks channel_watch what to wait for and channel_polled what came
 * of it, since bytes that are encrypted do not come and go when the caller's
 * do: reading may wait for room to write, and bytes may be here already of
 * which poll(2) knows nothing any more.
 */

#include <sys/types.h>

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct tls;

struct channel {
	int fd;		 /* -1: none */
	struct tls *tls; /* NULL: the bytes are those of the descriptor */
	bool passes;	 /* descriptors, too: a unix socket */
	int passed;	 /* one that came, the reader's to take; -1: none */
};

#define CHANNEL_NONE ((struct channel){ .fd = -1, .passed = -1 })

static inline bool
channel_is_open(const struct channel *c)
{
	return c->fd != -1;
}

/* A descriptor that does not block, and is the channel's from now on. */
struct channel channel_of(int fd);
/* Harmless on CHANNEL_NONE, which it leaves. */
void channel_close(struct channel *);

/*
 * As read(2) and write(2) of a descriptor that does not block: bytes, or -1
 * with EAGAIN or EINTR when it is to be tried again, or -1 for good.  A read
 * returns 0 when the other end has closed.  What a write did not take is to be
 * offered again, by itself or with more behind it.  Errors that are not of the
 * machine are ECONNRESET, and EACCES: the other end is not who it should be,
 * and will not be if it is tried again.
 */
ssize_t channel_read(struct channel *, void *, size_t);
ssize_t channel_write(struct channel *, const void *, size_t);
/* The same with a descriptor beside the first byte, if the channel passes. */
ssize_t channel_pass(struct channel *, const void *, size_t, int fd);
/*
 * For messages: what the other end did, after an end or an error.  The string
 * outlasts the channel.
 */
const char *channel_why(const struct channel *);
/* From where a channel comes that was accepted; gone once it is closed. */
const char *channel_peer(const struct channel *);
/*
 * The first few bytes, up to 256, on a channel that is new: they are taken
 * whole, or the other end is gone.  Returns 0 or -1.
 */
int channel_greet(struct channel *, const void *, size_t);

/*
 * The descriptor, for who goes on with it alone (relay.h); -1 where it is not
 * all of the channel.
 */
int channel_raw_fd(const struct channel *);

/*
 * Fill in what poll(2) is to wait for, when the caller would read, or write;
 * nothing, of CHANNEL_NONE.  Returns true when it need not wait.
 */
bool channel_watch(const struct channel *, struct pollfd *, bool in, bool out);
/*
 * After poll(2), which of the two may be tried: POLLIN and POLLOUT, as far as
 * they were asked for; an end or an error of the channel is POLLIN too, asked
 * for or not.
 */
short channel_polled(const struct channel *, const struct pollfd *);

#endif

#include <sys/socket.h>

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "link/channel.h"

static ssize_t
plain_read(struct channel *c, void *buf, size_t n)
{
	return read(c->fd, buf, n);
}

static ssize_t
plain_write(struct channel *c, const void *buf, size_t n)
{
	return write(c->fd, buf, n);
}

static int
plain_write_first(struct channel *c, const void *buf, size_t n)
{
	/*
	 * These are at most 256 bytes, and the send buffer of a new connection
	 * is empty. So the write does not block.
	 */
	return io_write(c->fd, buf, n);
}

static bool
plain_watch(const struct channel *c, struct pollfd *p, bool in, bool out)
{
	(void)c;
	p->events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
	return false;
}

static short
plain_polled(const struct channel *c, const struct pollfd *p)
{
	(void)c;
	return (short)((p->revents & POLLOUT) |
	    ((p->revents & ~POLLOUT) != 0 ? POLLIN : 0));
}

static const char *
plain_why(const struct channel *c)
{
	(void)c;
	return "closed the connection";
}

static const char *
plain_peer(const struct channel *c)
{
	(void)c;
	return "a connection";
}

const struct channel_ops channel_plain = {
	.read = plain_read,
	.write = plain_write,
	.write_first = plain_write_first,
	.watch = plain_watch,
	.polled = plain_polled,
	.why = plain_why,
	.peer = plain_peer,
};

struct channel
channel_of(int fd)
{
	return (
	    struct channel){ .ops = &channel_plain, .fd = fd, .passed = -1 };
}

/* A control message that carries one descriptor. */
union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

static ssize_t
passing_read(struct channel *c, void *buf, size_t n)
{
	struct iovec bytes = { buf, n };
	union control control;
	struct msghdr m = { .msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = control.room,
		/*
		 * Do not use CMSG_SPACE, because its padding has room for a
		 * second descriptor. The kernel drops descriptors without room.
		 */
		.msg_controllen = CMSG_LEN(sizeof c->passed) };
	ssize_t r = recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *h = r > 0 ? CMSG_FIRSTHDR(&m) : NULL;

	if (h != NULL && h->cmsg_level == SOL_SOCKET &&
	    h->cmsg_type == SCM_RIGHTS &&
	    h->cmsg_len == CMSG_LEN(sizeof c->passed)) {
		if (c->passed != -1)
			close(c->passed);
		memcpy(&c->passed, CMSG_DATA(h), sizeof c->passed);
	}
	return r;
}

static ssize_t
passing_pass(struct channel *c, const void *buf, size_t n, int fd)
{
	struct iovec bytes = { (void *)(uintptr_t)buf, n };
	union control control = { .head = { .cmsg_len = CMSG_LEN(sizeof fd),
				      .cmsg_level = SOL_SOCKET,
				      .cmsg_type = SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = sizeof control.room };

	memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	return sendmsg(c->fd, &m, 0);
}

static const struct channel_ops passing = {
	.read = passing_read,
	.write = plain_write,
	.pass = passing_pass,
	.write_first = plain_write_first,
	.watch = plain_watch,
	.polled = plain_polled,
	.why = plain_why,
	.peer = plain_peer,
};

struct channel
channel_of_unix(int fd)
{
	return (struct channel){ .ops = &passing, .fd = fd, .passed = -1 };
}

void
channel_close(struct channel *c)
{
	if (c->ops->close != NULL)
		c->ops->close(c);
	if (c->fd != -1)
		close(c->fd);
	if (c->passed != -1)
		close(c->passed);
	*c = CHANNEL_NONE;
}

ssize_t
channel_read(struct channel *c, void *buf, size_t n)
{
	return c->ops->read(c, buf, n);
}

ssize_t
channel_write(struct channel *c, const void *buf, size_t n)
{
	return c->ops->write(c, buf, n);
}

bool
channel_can_pass(const struct channel *c)
{
	return c->ops->pass != NULL;
}

ssize_t
channel_pass(struct channel *c, const void *buf, size_t n, int fd)
{
	return c->ops->pass(c, buf, n, fd);
}

/*
 * From now on use read(2). If the peer passes descriptors, the kernel then
 * closes them.
 */
void
channel_stop_passing(struct channel *c)
{
	if (c->ops->pass != NULL)
		c->ops = &channel_plain;
}

int
channel_write_first(struct channel *c, const void *buf, size_t n)
{
	return c->ops->write_first(c, buf, n);
}

const char *
channel_why(const struct channel *c)
{
	return c->ops->why(c);
}

const char *
channel_peer(const struct channel *c)
{
	return c->ops->peer(c);
}

bool
channel_watch(const struct channel *c, struct pollfd *p, bool in, bool out)
{
	p->fd = c->fd;
	p->revents = 0;
	return c->ops->watch(c, p, in, out);
}

short
channel_polled(const struct channel *c, const struct pollfd *p)
{
	return c->ops->polled(c, p);
}

#include <sys/socket.h>

#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "link/tls.h"

struct channel
channel_of(int fd)
{
	return (struct channel){ .fd = fd, .passed = -1 };
}

void
channel_close(struct channel *c)
{
	if (c->tls != NULL)
		tls_close(c->tls);
	if (c->fd != -1)
		close(c->fd);
	if (c->passed != -1)
		close(c->passed);
	*c = CHANNEL_NONE;
}

/* A message of some bytes, and room for a descriptor beside them. */
union beside {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

static ssize_t
receive(struct channel *c, void *buf, size_t n)
{
	struct iovec bytes = { buf, n };
	union beside beside;
	struct msghdr m = { .msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = beside.room,
		/* With what aligns it there would be room for two. */
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

ssize_t
channel_read(struct channel *c, void *buf, size_t n)
{
	if (c->tls != NULL)
		return tls_read(c->tls, buf, n);
	return c->passes ? receive(c, buf, n) : read(c->fd, buf, n);
}

ssize_t
channel_pass(struct channel *c, const void *buf, size_t n, int fd)
{
	struct iovec bytes = { (void *)(uintptr_t)buf, n };
	union beside beside = { .head = { .cmsg_len = CMSG_LEN(sizeof fd),
				    .cmsg_level = SOL_SOCKET,
				    .cmsg_type = SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = beside.room,
		.msg_controllen = sizeof beside.room };

	memcpy(CMSG_DATA(&beside.head), &fd, sizeof fd);
	return sendmsg(c->fd, &m, 0);
}

ssize_t
channel_write(struct channel *c, const void *buf, size_t n)
{
	return c->tls != NULL ? tls_write(c->tls, buf, n)
			      : write(c->fd, buf, n);
}

const char *
channel_why(const struct channel *c)
{
	return c->tls != NULL ? tls_why(c->tls) : "closed the connection";
}

const char *
channel_peer(const struct channel *c)
{
	return c->tls != NULL ? tls_peer(c->tls) : "a connection";
}

int
channel_greet(struct channel *c, const void *buf, size_t n)
{
	/* A new connection has room for so little. */
	return c->tls != NULL ? tls_greet(c->tls, buf, n)
			      : io_write(c->fd, buf, n);
}

int
channel_raw_fd(const struct channel *c)
{
	return c->tls != NULL ? -1 : c->fd;
}

bool
channel_watch(const struct channel *c, struct pollfd *p, bool in, bool out)
{
	p->fd = c->fd;
	p->revents = 0;
	if (c->tls != NULL)
		return tls_watch(c->tls, p, in, out);
	p->events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
	return false;
}

short
channel_polled(const struct channel *c, const struct pollfd *p)
{
	if (c->tls != NULL)
		return tls_polled(c->tls, p);
	return (short)((p->revents & POLLOUT) |
	    ((p->revents & ~POLLOUT) != 0 ? POLLIN : 0));
}

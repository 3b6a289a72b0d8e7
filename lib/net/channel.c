#include <unistd.h>

#include "base/io.h"
#include "net/tls.h"

struct channel
channel_of(int fd)
{
	return (struct channel){ .fd = fd };
}

void
channel_close(struct channel *c)
{
	if (c->tls != NULL)
		tls_close(c->tls);
	if (c->fd != -1)
		close(c->fd);
	*c = CHANNEL_NONE;
}

ssize_t
channel_read(struct channel *c, void *buf, size_t n)
{
	return c->tls != NULL ? tls_read(c->tls, buf, n) : read(c->fd, buf, n);
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

#include <unistd.h>

#include "base/io.h"
#include "net/channel.h"

struct channel
channel_of(int fd)
{
	return (struct channel){ .fd = fd };
}

void
channel_close(struct channel *c)
{
	if (c->fd != -1)
		close(c->fd);
	*c = CHANNEL_NONE;
}

ssize_t
channel_read(struct channel *c, void *buf, size_t n)
{
	return read(c->fd, buf, n);
}

ssize_t
channel_write(struct channel *c, const void *buf, size_t n)
{
	return write(c->fd, buf, n);
}

const char *
channel_why(const struct channel *c)
{
	(void)c;
	return "closed the connection";
}

int
channel_greet(struct channel *c, const void *buf, size_t n)
{
	/* A new connection has room for so little. */
	return io_write(c->fd, buf, n);
}

int
channel_raw_fd(const struct channel *c)
{
	return c->fd;
}

bool
channel_watch(const struct channel *c, struct pollfd *p, bool in, bool out)
{
	p->fd = c->fd;
	p->events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
	p->revents = 0;
	return false;
}

short
channel_polled(const struct channel *c, const struct pollfd *p)
{
	(void)c;
	return (short)((p->revents & POLLOUT) |
	    ((p->revents & ~POLLOUT) != 0 ? POLLIN : 0));
}

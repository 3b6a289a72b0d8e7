#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "link/transport.h"

#define SOCKET_NAME "exchange.sock"
#define SOCKET_BUFFER (1 << 20)

/*
 * A socket's path has to fit 108 bytes.  Through the descriptor of its
 * directory it does, however long that one's path may be.
 */
static struct sockaddr_un
address_in(int dir)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof a.sun_path, "/proc/self/fd/%d/%s", dir,
	    SOCKET_NAME);
	return a;
}

static int
new_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int size = SOCKET_BUFFER;

	/* The kernel gives what it may; any size works. */
	if (fd != -1)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	return fd;
}

/* The other end must be of the same user: a socket's mode is not all. */
static bool
same_user(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
	    peer.uid == geteuid();
}

static void
let_nobody_in(struct door *d)
{
	if (d->fd == -1)
		return;
	close(d->fd);
	d->fd = -1;
	unlinkat(d->dir, SOCKET_NAME, 0);
}

void
unix_close(struct door *d)
{
	let_nobody_in(d);
	if (d->dir != -1)
		close(d->dir);
	d->dir = -1;
}

/*
 * The lock on the directory tells whether somebody is at work there: with it, a
 * socket that is there was left by a process that was killed.
 */
static int
take_place(struct door *d, const char *dir, struct hp_err *e)
{
	struct stat st;

	d->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->dir == -1)
		return hp_fail_errno(e, HP_IO, "%s", dir);
	if (flock(d->dir, LOCK_EX | LOCK_NB) == -1) {
		if (errno == EWOULDBLOCK)
			return hp_fail(e, HP_IO,
			    "%s: another hpexchange is at work there", dir);
		return hp_fail_errno(e, HP_IO, "%s: lock", dir);
	}
	if (fstatat(d->dir, SOCKET_NAME, &st, AT_SYMLINK_NOFOLLOW) == -1)
		return 0;
	if (!S_ISSOCK(st.st_mode))
		return hp_fail(
		    e, HP_IO, "%s/%s: not a socket", dir, SOCKET_NAME);
	if (unlinkat(d->dir, SOCKET_NAME, 0) == -1)
		return hp_fail_errno(e, HP_IO, "%s/%s", dir, SOCKET_NAME);
	return 0;
}

int
unix_open(struct door *d, const struct address *node, uint32_t nodes,
    uint32_t me, const struct transport_options *options, struct hp_err *e)
{
	const struct address *at = &node[me];
	struct sockaddr_un a;

	*d = (struct door){
		.node = node, .me = me, .options = options, .dir = -1, .fd = -1
	};
	for (uint32_t i = 0; i < nodes; i++)
		if (node[i].dir == NULL)
			return hp_fail(e, HP_INPUT,
			    "%s: the cluster gives it no dir for its socket",
			    node[i].name);
	if (take_place(d, at->dir, e) == -1)
		return -1;
	a = address_in(d->dir);
	/* The mode that bind gives the file is that of the socket. */
	if ((d->fd = new_socket()) == -1 || fchmod(d->fd, 0600) == -1 ||
	    bind(d->fd, (struct sockaddr *)&a, sizeof a) == -1 ||
	    listen(d->fd, SOMAXCONN) == -1)
		return hp_fail_errno(e, HP_IO, "%s/%s", at->dir, SOCKET_NAME);
	return 0;
}

int
unix_poll_fd(const struct door *d)
{
	return d->fd;
}

int
unix_accept(struct door *d, struct channel *c, struct hp_err *e)
{
	int fd = accept4(d->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	int size = SOCKET_BUFFER;

	/* Only what would go on for ever is trouble. */
	if (fd == -1 &&
	    (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		errno == ENOMEM))
		return hp_fail_errno(e, HP_IO, "accept");
	if (fd != -1 && !same_user(fd)) {
		close(fd);
		fd = -1;
	}
	if (fd == -1)
		return 0;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	*c = channel_of(fd);
	c->passes = true;
	return 1;
}

/* What says that nobody listens there. */
static bool
not_there(int errnum)
{
	return errnum == ENOENT || errnum == ECONNREFUSED;
}

int
unix_dial(struct door *d, const struct address *to, struct channel *c,
    struct hp_err *e)
{
	int dir, fd = -1, connected = -1, errnum;
	struct sockaddr_un a;

	dir = open(to->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir != -1) {
		a = address_in(dir);
		if ((fd = new_socket()) != -1)
			connected = connect(
			    fd, (struct sockaddr *)&a, sizeof a);
	}
	errnum = errno;
	if (dir != -1)
		close(dir);
	if (connected == 0 && same_user(fd)) {
		*c = channel_of(fd);
		c->passes = true;
		return 1;
	}
	if (fd != -1)
		close(fd);
	if (connected == 0)
		return hp_fail(e, HP_IO, "%s: %s/%s is of another user",
		    to->name, to->dir, SOCKET_NAME);
	errno = errnum;
	d->gone = not_there(errnum);
	if (d->gone || errnum == EAGAIN || errnum == EINTR)
		return 0;
	return hp_fail_errno(
	    e, HP_IO, "%s: %s/%s", to->name, to->dir, SOCKET_NAME);
}

const struct transport transport_unix = {
	.name = "unix",
	.shares = true,
	.open = unix_open,
	.poll_fd = unix_poll_fd,
	.accept = unix_accept,
	.close = unix_close,
	.dial = unix_dial,
};

#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "link/unix.h"

#define SOCKET_NAME "exchange.sock"
#define SOCKET_BUFFER (1 << 20)

/*
 * Returns the address of the socket in a directory. The path of a unix socket
 * may have at most 108 bytes. So the address uses the path of the directory's
 * descriptor in /proc, which always fits.
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

	/*
	 * Ignore errors: the kernel may grant a smaller buffer, and any size
	 * works.
	 */
	if (fd != -1)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	return fd;
}

/*
 * Returns whether the peer is a process of this user. The file mode of the
 * socket does not prove this. Root may open any socket, and another user may
 * have put a socket of this name into the directory.
 */
static bool
same_user(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
	    peer.uid == geteuid();
}

void
unix_close(struct endpoint *p)
{
	if (p->fd != -1) {
		close(p->fd);
		unlinkat(p->dir, SOCKET_NAME, 0);
	}
	p->fd = -1;
	if (p->dir != -1)
		close(p->dir);
	p->dir = -1;
}

/*
 * Locks the directory. If the lock was free, a socket in the directory was left
 * by a killed process.
 */
static int
lock_directory(struct endpoint *p, const char *dir, struct hp_err *e)
{
	struct stat st;

	p->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->dir == -1)
		return hp_fail_errno(e, HP_IO, "%s", dir);
	if (flock(p->dir, LOCK_EX | LOCK_NB) == -1) {
		if (errno == EWOULDBLOCK)
			return hp_fail(e, HP_IO,
			    "%s: another hpexchange is running there", dir);
		return hp_fail_errno(e, HP_IO, "%s: lock", dir);
	}
	if (fstatat(p->dir, SOCKET_NAME, &st, AT_SYMLINK_NOFOLLOW) == -1)
		return 0;
	if (!S_ISSOCK(st.st_mode))
		return hp_fail(
		    e, HP_IO, "%s/%s: not a socket", dir, SOCKET_NAME);
	if (unlinkat(p->dir, SOCKET_NAME, 0) == -1)
		return hp_fail_errno(e, HP_IO, "%s/%s", dir, SOCKET_NAME);
	return 0;
}

int
unix_open(struct endpoint *p, const struct address *node, uint32_t nodes,
    uint32_t me, const struct transport_options *options, struct hp_err *e)
{
	const struct address *at = &node[me];
	struct sockaddr_un a;

	*p = (struct endpoint){
		.node = node, .me = me, .options = options, .dir = -1, .fd = -1
	};
	for (uint32_t i = 0; i < nodes; i++)
		if (node[i].dir == NULL)
			return hp_fail(e, HP_INPUT,
			    "%s: has no dir in the cluster", node[i].name);
	if (lock_directory(p, at->dir, e) == -1)
		return -1;
	a = address_in(p->dir);
	/* bind(2) gives the new file the mode of the socket. */
	if ((p->fd = new_socket()) == -1 || fchmod(p->fd, 0600) == -1 ||
	    bind(p->fd, (struct sockaddr *)&a, sizeof a) == -1 ||
	    listen(p->fd, SOMAXCONN) == -1)
		return hp_fail_errno(e, HP_IO, "%s/%s", at->dir, SOCKET_NAME);
	return 0;
}

int
unix_accept(struct endpoint *p, struct channel *c, struct hp_err *e)
{
	int fd = accept4(p->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	int size = SOCKET_BUFFER;

	/*
	 * Fail only if descriptors or memory have run out, because then the
	 * error would occur again at each call.
	 */
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
	*c = channel_of_unix(fd);
	return 1;
}

/* Returns whether the error says that no process listens at the socket. */
static bool
is_absent(int errnum)
{
	return errnum == ENOENT || errnum == ECONNREFUSED;
}

int
unix_connect(const struct address *to, struct attempt *a, struct channel *c,
    struct hp_err *e)
{
	int dir, fd = -1, connected = -1, errnum;
	struct sockaddr_un at;

	dir = open(to->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir != -1) {
		at = address_in(dir);
		if ((fd = new_socket()) != -1)
			connected = connect(
			    fd, (struct sockaddr *)&at, sizeof at);
	}
	errnum = errno;
	if (dir != -1)
		close(dir);
	if (connected == 0 && same_user(fd)) {
		*c = channel_of_unix(fd);
		return 1;
	}
	if (fd != -1)
		close(fd);
	if (connected == 0)
		return hp_fail(e, HP_IO, "%s: %s/%s is of another user",
		    to->name, to->dir, SOCKET_NAME);
	errno = errnum;
	a->absent = is_absent(errnum);
	if (a->absent || errnum == EAGAIN || errnum == EINTR)
		return 0;
	return hp_fail_errno(
	    e, HP_IO, "%s: %s/%s", to->name, to->dir, SOCKET_NAME);
}

static int
connect_unix(struct endpoint *p, const struct address *to, struct attempt *a,
    struct channel *c, struct hp_err *e)
{
	(void)p;
	return unix_connect(to, a, c, e);
}

const struct transport transport_unix = {
	.name = "unix",
	.shares_memory = true,
	.open = unix_open,
	.accept = unix_accept,
	.close = unix_close,
	.connect = connect_unix,
};

#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "link/unix.h"
#include "net/relay.h"
#include "net/wire.h"

/*
 * Copies bytes in one direction of the relay. Each direction has its own
 * buffer. So one direction still works while the other is blocked.
 */
struct flow {
	int from, to;
	unsigned char *buf;
	size_t pos, len;
	bool done;
};

enum {
	FLOW_BUFFER = 1 << 18,
	/* milliseconds between two attempts to connect to the node */
	NAP_MS = 20
};

/*
 * O_NONBLOCK affects no other process: sshd made the descriptors for this
 * connection alone.
 */
static int
do_not_block(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags == -1 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static bool
passing(int errnum)
{
	return errnum == EAGAIN || errnum == EINTR;
}

/*
 * Reads and writes at most once. Sets f->done at the end of the input or when
 * writing has failed.
 */
static void
flow_move(struct flow *f)
{
	ssize_t n;

	if (f->pos == f->len) {
		n = read(f->from, f->buf, FLOW_BUFFER);
		if (n == -1 && passing(errno))
			return;
		f->done = n <= 0;
		f->pos = 0;
		f->len = n > 0 ? (size_t)n : 0;
	}
	if (f->pos < f->len) {
		n = write(f->to, f->buf + f->pos, f->len - f->pos);
		if (n == -1 && !passing(errno))
			f->done = true;
		if (n > 0)
			f->pos += (size_t)n;
	}
}

static struct pollfd
flow_wants(const struct flow *f)
{
	if (f->done)
		return (struct pollfd){ .fd = -1 };
	if (f->pos < f->len)
		return (struct pollfd){ .fd = f->to, .events = POLLOUT };
	return (struct pollfd){ .fd = f->from, .events = POLLIN };
}

static int
relay(struct flow *in, struct flow *out, struct hp_err *e)
{
	struct pollfd set[2];

	/*
	 * The node may have stopped reading, but the other end of the relay
	 * must still get the node's last bytes.
	 */
	while (!out->done) {
		set[0] = flow_wants(in);
		set[1] = flow_wants(out);
		if (poll(set, 2, -1) == -1) {
			if (errno == EINTR)
				continue;
			return hp_fail_errno(e, HP_IO, "poll");
		}
		if (set[0].revents != 0)
			flow_move(in);
		if (in->done && set[0].fd != -1)
			shutdown(in->to, SHUT_WR);
		if (set[1].revents != 0)
			flow_move(out);
	}
	return 0;
}

/* Sends the other end a hello that says that no process of the node runs. */
static void
say_gone(int out)
{
	struct hello h = { .version = HELLO_VERSION, .verdict = VERDICT_GONE };
	unsigned char bytes[HELLO_SIZE];

	hello_encode(&h, bytes);
	io_write(out, bytes, sizeof bytes);
}

/*
 * Connects to the node's socket. Waits for the node until the timeout. If the
 * other end of the relay closes its connection during the wait, returns 0 and
 * sets fd to -1.
 */
static int
reach(const struct address *to, double timeout_s, int in, int out, int *fd,
    struct hp_err *e)
{
	double end_s = clock_now_s() + timeout_s;
	struct attempt a = { .known = false };
	struct channel c;
	int rc;

	*fd = -1;
	while ((rc = unix_connect(to, &a, &c, e)) == 0) {
		struct pollfd caller = { .fd = in, .events = POLLRDHUP };

		if (clock_now_s() > end_s) {
			if (a.absent)
				say_gone(out);
			return hp_fail(e, HP_LOST,
			    "%s: not connected after %g s", to->name,
			    timeout_s);
		}
		poll(&caller, 1, NAP_MS);
		if (caller.revents != 0)
			return 0;
	}
	if (rc == 1)
		*fd = c.fd;
	return rc == 1 ? 0 : -1;
}

int
relay_run(const struct address *to, double timeout_s, int in, int out,
    struct hp_err *e)
{
	struct flow to_node = { .from = in }, from_node = { .to = out };
	int fd, rc = -1;

	if (reach(to, timeout_s, in, out, &fd, e) == -1)
		return -1;
	if (fd == -1)
		return 0;
	to_node.to = from_node.from = fd;
	to_node.buf = malloc(FLOW_BUFFER);
	from_node.buf = malloc(FLOW_BUFFER);
	if (to_node.buf == NULL || from_node.buf == NULL)
		hp_fail_errno(e, HP_NOMEM, "relay");
	else if (do_not_block(in) == -1 || do_not_block(out) == -1)
		hp_fail_errno(e, HP_IO, "relay");
	else
		rc = relay(&to_node, &from_node, e);
	free(to_node.buf);
	free(from_node.buf);
	close(fd);
	return rc;
}

#include <sys/random.h>
#include <sys/socket.h>

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doc/message.h"
#include "job/dial.h"
#include "link/tcpsocket.h"
#include "link/tls.h"

static int
make_key(struct jobkey *key, struct hp_err *e)
{
	static const char digit[] = "0123456789abcdef";
	unsigned char bytes[MESSAGE_KEY / 2];

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return hp_fail_errno(e, HP_IO, "random bytes");
	for (size_t i = 0; i < sizeof bytes; i++) {
		key->bytes[2 * i] = (unsigned char)digit[bytes[i] >> 4];
		key->bytes[2 * i + 1] = (unsigned char)digit[bytes[i] & 15];
	}
	key->len = MESSAGE_KEY;
	explicit_bzero(bytes, sizeof bytes);
	return 0;
}

int
dial_init(struct tls_party *p, struct hp_err *e)
{
	if (tls_party_init(p, DIAL_LAUNCHER, NULL, e) == -1)
		return -1;
	tls_party_save_memory(p);
	return 0;
}

struct dial *
dial_new(const struct tls_party *shared, const char *name, struct hp_err *e)
{
	struct dial *d = calloc(1, sizeof *d);

	if (d == NULL) {
		hp_fail(e, HP_NOMEM, "connection");
		return NULL;
	}
	d->name = name;
	d->fd = -1;
	d->channel = CHANNEL_NONE;
	d->party = tls_party_with_key(shared, &d->key);
	if (make_key(&d->key, e) == 0)
		return d;
	dial_free(d);
	return NULL;
}

void
dial_free(struct dial *d)
{
	if (d == NULL)
		return;
	wire_fini(&d->wire);
	if (d->fd != -1)
		close(d->fd);
	channel_close(&d->channel);
	jobkey_wipe(&d->key);
	free(d);
}

int
dial_begin(struct dial *d, const char *address, uint16_t port, struct hp_err *e)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *at;
	char service[8];

	snprintf(service, sizeof service, "%u", port);
	if (port == 0 || getaddrinfo(address, service, &hints, &at) != 0)
		return hp_fail(e, HP_INPUT, "%s: has no port", d->name);
	d->fd = socket(
	    at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (d->fd != -1) {
		tcpsocket_tune(d->fd);
		if (connect(d->fd, at->ai_addr, at->ai_addrlen) == -1 &&
		    errno != EINPROGRESS) {
			close(d->fd);
			d->fd = -1;
		}
	}
	freeaddrinfo(at);
	return d->fd == -1 ? hp_fail_errno(e, HP_LOST, "%s", d->name) : 0;
}

int
dial_waits(const struct dial *d, bool *write)
{
	*write = d->fd != -1;
	return d->fd != -1 ? d->fd : d->channel.fd;
}

/* Begins TLS once TCP has connected. */
static int
connected(struct dial *d, struct hp_err *e)
{
	int errnum = 0, fd = d->fd;
	socklen_t len = sizeof errnum;

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &errnum, &len) == -1)
		errnum = errno;
	if (errnum == 0 && tcpsocket_is_own_echo(fd))
		errnum = ECONNREFUSED;
	if ((errno = errnum) != 0)
		return hp_fail_errno(e, HP_LOST, "%s", d->name);
	d->fd = -1;
	if (tls_connect(&d->party, fd, DIAL_AGENT, &d->channel, e) == -1)
		return -1;
	return wire_init_channel(
	    &d->wire, WIRE_LAUNCHER, &d->channel, d->name, e);
}

/*
 * Returns whether the kernel still connects. An event may belong to an older
 * socket that had the same descriptor.
 */
static bool
is_connecting(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, 0) == 0;
}

int
dial_go_on(struct dial *d, struct hp_err *e)
{
	if (d->fd != -1 && is_connecting(d->fd))
		return 0;
	if (d->fd != -1 && connected(d, e) == -1)
		return -1;
	/* Reading continues the handshake. */
	return wire_read(&d->wire, e);
}

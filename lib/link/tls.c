#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link/tls.h"
#include "link/tlsconn.h"
#include "link/tlsreason.h"

#include "link/openssl.h"

/*
 * Creates the state of a connection. If memory is short, returns NULL and
 * closes the descriptor.
 */
static struct tls *
new_tls(struct tls_party *p, int fd, const char *peer, struct hp_err *e)
{
	struct tls *t = calloc(1, sizeof *t);

	if (t != NULL)
		t->ssl = tls_party_ssl(p, fd, &t->out);
	if (t == NULL || t->ssl == NULL) {
		hp_fail(e, HP_NOMEM, "%s: no memory for a connection", peer);
		free(t);
		close(fd);
		return NULL;
	}
	t->party = p;
	t->pair = (struct tls_pair){ .self = p->self, .key = p->key };
	SSL_set_app_data(t->ssl, &t->pair);
	snprintf(t->peer, sizeof t->peer, "%s", peer);
	return t;
}

static void
tls_close(struct channel *c)
{
	struct tls *t = c->state;

	/* Sends close_notify if the socket has room. */
	if (t->ready && t->why == NULL)
		SSL_shutdown(t->ssl);
	ERR_clear_error();
	SSL_free(t->ssl);
	free(t);
}

static int
tls_write_first(struct channel *c, const void *buf, size_t n)
{
	struct tls *t = c->state;

	if (n > sizeof t->first)
		return -1;
	memcpy(t->first, buf, n);
	t->first_len = n;
	if (t->ready)
		return tlsconn_send_first(t);
	return tlsconn_handshake(t) == 0 || errno == EAGAIN ? 0 : -1;
}

static ssize_t
tls_read(struct channel *c, void *buf, size_t n)
{
	struct tls *t = c->state;
	size_t done = 0, k;
	ssize_t rc = 1;

	if (tlsconn_handshake(t) == -1)
		return -1;
	ERR_clear_error();
	for (; done < n; done += k)
		if ((rc = SSL_read_ex(
			 t->ssl, (char *)buf + done, n - done, &k)) != 1)
			break;
	if (rc == 1) {
		t->more = SSL_has_pending(t->ssl);
		return (ssize_t)done;
	}
	rc = tlsconn_stopped(t, (int)rc);
	/*
	 * If an error or the end of the stream follows the bytes read, the next
	 * read returns it.
	 */
	t->more = done > 0 && (rc == 0 || errno != EAGAIN);
	return done > 0 ? (ssize_t)done : rc;
}

static ssize_t
tls_write(struct channel *c, const void *buf, size_t n)
{
	struct tls *t = c->state;

	return tlsconn_handshake(t) == -1 ? -1 : tlsconn_put(t, buf, n);
}

static const char *
tls_why(const struct channel *c)
{
	const struct tls *t = c->state;

	return t->why != NULL ? t->why : TLS_CLOSED;
}

static const char *
tls_peer(const struct channel *c)
{
	const struct tls *t = c->state;

	return t->peer;
}

static bool
tls_watch(const struct channel *c, struct pollfd *p, bool in, bool out)
{
	const struct tls *t = c->state;

	p->events = t->ready ? (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0))
			     : t->wants;
	return t->ready && in && t->more;
}

static short
tls_polled(const struct channel *c, const struct pollfd *p)
{
	const struct tls *t = c->state;
	short may = (short)(p->revents & POLLOUT);

	if (!t->ready)
		return p->revents != 0 ? POLLIN : 0;
	if ((p->revents & ~POLLOUT) != 0 ||
	    ((p->events & POLLIN) != 0 && t->more))
		may |= POLLIN;
	return may;
}

static const struct channel_ops ops = {
	.read = tls_read,
	.write = tls_write,
	.write_first = tls_write_first,
	.watch = tls_watch,
	.polled = tls_polled,
	.why = tls_why,
	.peer = tls_peer,
	.close = tls_close,
};

static struct channel
channel_of_tls(struct tls *t, int fd)
{
	struct channel c = channel_of(fd);

	c.ops = &ops;
	c.state = t;
	return c;
}

int
tls_accept(struct tls_party *p, int fd, const char *peer, struct channel *c,
    struct hp_err *e)
{
	struct tls *t = new_tls(p, fd, peer, e);

	if (t == NULL)
		return -1;
	SSL_set_accept_state(t->ssl);
	t->wants = POLLIN;
	*c = channel_of_tls(t, fd);
	return 0;
}

int
tls_connect(struct tls_party *p, int fd, const char *to, struct channel *c,
    struct hp_err *e)
{
	struct tls *t = new_tls(p, fd, to, e);

	if (t == NULL)
		return -1;
	SSL_set_connect_state(t->ssl);
	/* Refuses every certificate. */
	SSL_set_verify(t->ssl, SSL_VERIFY_PEER, NULL);
	t->wants = POLLOUT;
	t->pair.name_len = pair_name(p->self, to, t->pair.name);
	*c = channel_of_tls(t, fd);
	return 0;
}

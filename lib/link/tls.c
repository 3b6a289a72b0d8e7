#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link/tls.h"
#include "link/tlskeys.h"
#include "link/tlsreason.h"

#include "link/openssl.h"

enum {
	FIRST_MAX = 256 /* bytes of channel_write_first */
};

struct tls {
	SSL *ssl;
	struct tls_party *party;
	struct tls_pair pair;
	/* the handshake is complete, and the first bytes are sent */
	bool ready;
	/* OpenSSL may hold received bytes that poll(2) cannot see */
	bool more;
	/* POLLIN or POLLOUT: the event that the handshake waits for */
	short wants;
	uint64_t sent; /* bytes under the present traffic key */
	unsigned char first[FIRST_MAX]; /* to send after the handshake */
	size_t first_len;
	BIO *out; /* the buffer of encrypted records */
	/*
	 * number of bytes of the caller that are encrypted in `out`, but not
	 * yet reported as written
	 */
	size_t gathered;
	const char *why; /* the channel is broken; a static string */
	char peer[64];
};

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

/* Marks the channel as broken. Always returns -1, with `errnum` in errno. */
static ssize_t
breaks(struct tls *t, int errnum, const char *why)
{
	if (t->why == NULL)
		t->why = t->pair.why != NULL ? t->pair.why : why;
	errno = errnum;
	return -1;
}

static ssize_t
breaks_errno(struct tls *t, int errnum)
{
	ERR_clear_error();
	return breaks(t, ECONNRESET,
	    errnum == EPIPE || errnum == ECONNRESET ? TLS_CLOSED
						    : strerror(errnum));
}

/*
 * Handles a call of OpenSSL that returned rc and is not complete. Returns 0
 * when the peer has closed the connection (close_notify), else -1 with errno.
 */
static ssize_t
stopped(struct tls *t, int rc)
{
	int errnum = errno;
	const char *why;

	switch (SSL_get_error(t->ssl, rc)) {
	case SSL_ERROR_WANT_READ:
		t->wants = POLLIN;
		errno = EAGAIN;
		return -1;
	case SSL_ERROR_WANT_WRITE:
		t->wants = POLLOUT;
		errno = EAGAIN;
		return -1;
	case SSL_ERROR_ZERO_RETURN:
		return 0;
	case SSL_ERROR_SYSCALL:
		return breaks_errno(t, errnum);
	default:
		why = tls_reason(t->ready, &errnum);
		return breaks(t, errnum, why);
	}
}

/*
 * Writes the encrypted records in the buffer to the socket. Returns 0 when all
 * are written, or -1 with errno.
 */
static int
flush(struct tls *t)
{
	if (BIO_flush(t->out) > 0)
		return 0;
	if (!BIO_should_retry(t->out))
		return (int)breaks_errno(t, errno);
	t->wants = POLLOUT;
	errno = EAGAIN;
	return -1;
}

/* Encrypts bytes of the caller into the buffer. Returns 0, or -1 with errno. */
static int
gather(struct tls *t, const unsigned char *buf, size_t n)
{
	size_t k;

	while (t->gathered < n && t->gathered < TLS_GATHER) {
		if (SSL_write_ex(
			t->ssl, buf + t->gathered, n - t->gathered, &k) != 1)
			return stopped(t, 0) == 0
			    ? (int)breaks(t, ECONNRESET, TLS_CLOSED)
			    : -1;
		t->gathered += k;
		t->sent += k;
		if (t->sent >= t->party->rekey_bytes) {
			/* The next record uses the new key. */
			SSL_key_update(t->ssl, SSL_KEY_UPDATE_NOT_REQUESTED);
			t->sent = 0;
		}
	}
	return 0;
}

/*
 * Encrypts bytes and writes them. Bytes count as written only after their
 * records were sent. Until then, each call of the caller offers the same bytes
 * again. The first `gathered` of them are already encrypted and are skipped.
 */
static ssize_t
put(struct tls *t, const unsigned char *buf, size_t n)
{
	size_t done = 0;
	int rc;

	ERR_clear_error();
	while ((rc = flush(t)) == 0) {
		done += t->gathered;
		t->gathered = 0;
		if (done == n)
			break;
		rc = gather(t, buf + done, n - done);
		if (rc == -1 && t->gathered == 0)
			break;
	}
	return rc == 0 || done > 0 ? (ssize_t)done : -1;
}

static int
send_first(struct tls *t)
{
	if (put(t, t->first, t->first_len) == -1)
		return -1;
	t->first_len = 0;
	return 0;
}

/*
 * Continues the handshake. Returns 0 once the handshake is complete, or -1 with
 * errno.
 */
static int
handshake(struct tls *t)
{
	int rc;

	if (t->ready)
		return 0;
	ERR_clear_error();
	if ((rc = SSL_do_handshake(t->ssl)) != 1)
		return stopped(t, rc) == 0
		    ? (int)breaks(t, ECONNRESET, TLS_CLOSED)
		    : -1;
	/*
	 * The handshake must have used the shared key. In OpenSSL this means
	 * that it has resumed a session.
	 */
	if (SSL_session_reused(t->ssl) != 1)
		return (int)breaks(t, EACCES, "has no key");
	if (send_first(t) == -1)
		return -1;
	t->ready = true;
	t->more = true;
	return 0;
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
		return send_first(t);
	return handshake(t) == 0 || errno == EAGAIN ? 0 : -1;
}

static ssize_t
tls_read(struct channel *c, void *buf, size_t n)
{
	struct tls *t = c->state;
	size_t done = 0, k;
	ssize_t rc = 1;

	if (handshake(t) == -1)
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
	rc = stopped(t, (int)rc);
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

	return handshake(t) == -1 ? -1 : put(t, buf, n);
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

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "link/tlsconn.h"
#include "link/tlsreason.h"

#include "link/openssl.h"

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

ssize_t
tlsconn_stopped(struct tls *t, int rc)
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
	size_t k, most = t->party->records * SSL3_RT_MAX_PLAIN_LENGTH;

	while (t->gathered < n && t->gathered < most) {
		if (SSL_write_ex(
			t->ssl, buf + t->gathered, n - t->gathered, &k) != 1)
			return tlsconn_stopped(t, 0) == 0
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

ssize_t
tlsconn_put(struct tls *t, const unsigned char *buf, size_t n)
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

int
tlsconn_send_first(struct tls *t)
{
	if (tlsconn_put(t, t->first, t->first_len) == -1)
		return -1;
	t->first_len = 0;
	return 0;
}

int
tlsconn_handshake(struct tls *t)
{
	int rc;

	if (t->ready)
		return 0;
	ERR_clear_error();
	if ((rc = SSL_do_handshake(t->ssl)) != 1)
		return tlsconn_stopped(t, rc) == 0
		    ? (int)breaks(t, ECONNRESET, TLS_CLOSED)
		    : -1;
	/*
	 * The handshake must have used the shared key. In OpenSSL this means
	 * that it has resumed a session.
	 */
	if (SSL_session_reused(t->ssl) != 1)
		return (int)breaks(t, EACCES, "has no key");
	if (tlsconn_send_first(t) == -1)
		return -1;
	t->ready = true;
	t->more = true;
	return 0;
}

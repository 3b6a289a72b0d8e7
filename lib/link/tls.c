#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "link/tls.h"
#include "link/tlskeys.h"

enum {
	GREETING_MAX = 256,
	/* Records that one read(2) may fetch. */
	READ_BUFFER = 1 << 16,
	/*
	 * Records that go out together, those of a file's frame (parts.h).
	 * OpenSSL writes each of them by itself, and what TCP does for a packet
	 * costs it more than to copy 16 KB that are in the cache; with tcp_bbr,
	 * which paces them, fewer of them were slower.  TCP_CORK does without
	 * the copy, but with tcp_bbr it is slower than nothing.
	 */
	RECORDS = 32,
	GATHER = RECORDS * SSL3_RT_MAX_PLAIN_LENGTH,
	GATHER_BUFFER = RECORDS * SSL3_RT_MAX_PACKET_SIZE,
	/* From here on a reason is an alert of the other end. */
	ALERT_REASONS = SSL_AD_REASON_OFFSET
};

/*
 * AES-GCM is good for 2^24.5 records under one key (RFC 8446, 5.5), which is
 * 380 GB; OpenSSL does not count them.
 */
static const uint64_t REKEY_BYTES = UINT64_C(64) << 30;

struct tls {
	SSL *ssl;
	struct tls_party *party;
	struct tls_pair pair;
	bool ready;    /* the other end has the key, and the greeting is out */
	bool more;     /* there may be more inside, of which poll knows nothing
			*/
	short wants;   /* what a handshake waits for */
	uint64_t sent; /* under the present key */
	unsigned char greeting[GREETING_MAX];
	size_t greeting_len;
	BIO *out;	 /* where records gather: */
	size_t gathered; /* so many bytes of what was offered */
	const char *why; /* it is broken; a string that lasts */
	char peer[64];
};

static int
fail_ssl(struct hp_err *e)
{
	unsigned long code = ERR_get_error();
	const char *reason = ERR_reason_error_string(code);

	ERR_clear_error();
	return hp_fail(e, HP_NOMEM, "TLS: %s",
	    reason != NULL ? reason : "cannot be set up");
}

int
tls_party_init(struct tls_party *p, const char *self, const struct jobkey *key,
    struct hp_err *e)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_method());

	*p = (struct tls_party){ ctx, self, key, REKEY_BYTES };
	if (ctx == NULL ||
	    SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set_max_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set_num_tickets(ctx, 0) != 1 || !tlskeys_use(ctx))
		return fail_ssl(e);
	SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_mode(ctx,
	    SSL_MODE_ENABLE_PARTIAL_WRITE |
		SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	SSL_CTX_set_read_ahead(ctx, 1);
	SSL_CTX_set_default_read_buffer_len(ctx, READ_BUFFER);
	return 0;
}

void
tls_party_fini(struct tls_party *p)
{
	SSL_CTX_free(p->ctx);
	*p = (struct tls_party){ 0 };
}

/* The socket, with a buffer before it on the way out. */
static bool
set_socket(struct tls *t, int fd)
{
	BIO *in;

	if (SSL_set_fd(t->ssl, fd) != 1 ||
	    (t->out = BIO_new(BIO_f_buffer())) == NULL)
		return false;
	in = SSL_get_rbio(t->ssl);
	BIO_up_ref(in);
	SSL_set0_wbio(t->ssl, BIO_push(t->out, in));
	return BIO_set_write_buffer_size(t->out, GATHER_BUFFER) == 1;
}

/* Returns NULL, and closes the descriptor, when there is no memory. */
static struct tls *
new_tls(struct tls_party *p, int fd, const char *peer, struct hp_err *e)
{
	struct tls *t = calloc(1, sizeof *t);

	if (t != NULL)
		t->ssl = SSL_new(p->ctx);
	if (t == NULL || t->ssl == NULL || !set_socket(t, fd)) {
		hp_fail(e, HP_NOMEM, "%s: no memory for a connection", peer);
		if (t != NULL)
			SSL_free(t->ssl);
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

int
tls_accept(struct tls_party *p, int fd, const char *peer, struct channel *c,
    struct hp_err *e)
{
	struct tls *t = new_tls(p, fd, peer, e);

	if (t == NULL)
		return -1;
	SSL_set_accept_state(t->ssl);
	t->wants = POLLIN;
	*c = channel_of(fd);
	c->tls = t;
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
	/* No certificate is one that we would believe. */
	SSL_set_verify(t->ssl, SSL_VERIFY_PEER, NULL);
	t->wants = POLLOUT;
	t->pair.name_len = pair_name(p->self, to, t->pair.name);
	*c = channel_of(fd);
	c->tls = t;
	return 0;
}

void
tls_close(struct tls *t)
{
	/* Tells that it ends here, if there is room to say so. */
	if (t->ready && t->why == NULL)
		SSL_shutdown(t->ssl);
	ERR_clear_error();
	SSL_free(t->ssl);
	free(t);
}

static const char closed[] = "closed the connection";

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
	    errnum == EPIPE || errnum == ECONNRESET ? closed
						    : strerror(errnum));
}

/* What OpenSSL calls an error, in words. */
static ssize_t
breaks_ssl(struct tls *t)
{
	unsigned long code = ERR_peek_error();
	int reason = ERR_GET_REASON(code);
	const char *text = ERR_reason_error_string(code);

	ERR_clear_error();
	if (reason == SSL_R_UNEXPECTED_EOF_WHILE_READING)
		return breaks(t, ECONNRESET,
		    t->ready ? "the connection was cut off" : closed);
	/* Who has the key says nothing else than what is right. */
	if (t->ready)
		return breaks(t, ECONNRESET,
		    reason > ALERT_REASONS ? "was sent something damaged"
					   : "sent something damaged");
	/* What the end says that knows no key of that name. */
	if (reason == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE)
		return breaks(t, EACCES, "has another name there, or no key");
	if (reason == SSL_R_BINDER_DOES_NOT_VERIFY || reason > ALERT_REASONS)
		return breaks(t, EACCES, "has another key");
	/* Without a key of ours there would have to be a certificate. */
	if (reason == SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM)
		return breaks(t, EACCES, "has no key");
	if (reason == SSL_R_WRONG_VERSION_NUMBER ||
	    reason == SSL_R_HTTP_REQUEST)
		return breaks(t, EACCES, "does not speak TLS");
	return breaks(
	    t, EACCES, text != NULL ? text : "does not speak TLS as it should");
}

/*
 * Why a call of OpenSSL with this result did not do all.  Returns 0 at an end
 * that was announced, else -1 with errno.
 */
static ssize_t
stopped(struct tls *t, int rc)
{
	int errnum = errno;

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
		return breaks_ssl(t);
	}
}

/* Returns 0 when all that gathered is out, or -1 with errno. */
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

/* Encrypt what goes out next.  Returns 0, or -1 with errno. */
static int
gather(struct tls *t, const unsigned char *buf, size_t n)
{
	size_t k;

	while (t->gathered < n && t->gathered < GATHER) {
		if (SSL_write_ex(
			t->ssl, buf + t->gathered, n - t->gathered, &k) != 1)
			return stopped(t, 0) == 0
			    ? (int)breaks(t, ECONNRESET, closed)
			    : -1;
		t->gathered += k;
		t->sent += k;
		if (t->sent >= t->party->rekey_bytes) {
			/* The new key begins with the next record. */
			SSL_key_update(t->ssl, SSL_KEY_UPDATE_NOT_REQUESTED);
			t->sent = 0;
		}
	}
	return 0;
}

/*
 * What gathered counts as written once it is out: until then it is offered
 * again, and is passed over.
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
send_greeting(struct tls *t)
{
	if (put(t, t->greeting, t->greeting_len) == -1)
		return -1;
	t->greeting_len = 0;
	return 0;
}

/* Go on with the handshake and the greeting.  Returns 0 once all is done. */
static int
settle(struct tls *t)
{
	int rc;

	if (t->ready)
		return 0;
	ERR_clear_error();
	if ((rc = SSL_do_handshake(t->ssl)) != 1)
		return stopped(t, rc) == 0 ? (int)breaks(t, ECONNRESET, closed)
					   : -1;
	/* Without our key there is no way to here; but this is the gate. */
	if (SSL_session_reused(t->ssl) != 1)
		return (int)breaks(t, EACCES, "has no key");
	if (send_greeting(t) == -1)
		return -1;
	t->ready = true;
	t->more = true;
	return 0;
}

int
tls_greet(struct tls *t, const void *buf, size_t n)
{
	if (n > sizeof t->greeting)
		return -1;
	memcpy(t->greeting, buf, n);
	t->greeting_len = n;
	if (t->ready)
		return send_greeting(t);
	return settle(t) == 0 || errno == EAGAIN ? 0 : -1;
}

ssize_t
tls_read(struct tls *t, void *buf, size_t n)
{
	size_t done = 0, k;
	ssize_t rc = 1;

	if (settle(t) == -1)
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
	/* An end or error comes up again once what came before is taken. */
	t->more = done > 0 && (rc == 0 || errno != EAGAIN);
	return done > 0 ? (ssize_t)done : rc;
}

ssize_t
tls_write(struct tls *t, const void *buf, size_t n)
{
	return settle(t) == -1 ? -1 : put(t, buf, n);
}

const char *
tls_why(const struct tls *t)
{
	return t->why != NULL ? t->why : closed;
}

const char *
tls_peer(const struct tls *t)
{
	return t->peer;
}

bool
tls_watch(const struct tls *t, struct pollfd *p, bool in, bool out)
{
	p->events = t->ready ? (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0))
			     : t->wants;
	return t->ready && in && t->more;
}

short
tls_polled(const struct tls *t, const struct pollfd *p)
{
	short may = (short)(p->revents & POLLOUT);

	if (!t->ready)
		return p->revents != 0 ? POLLIN : 0;
	if ((p->revents & ~POLLOUT) != 0 ||
	    ((p->events & POLLIN) != 0 && t->more))
		may |= POLLIN;
	return may;
}

/*
 * Our records against OpenSSL's: one end of a connection is a channel, the
 * other one OpenSSL all the way.
 */

#include <sys/socket.h>

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "net/channel.h"
#include "net/tls.h"
#include "test.h"

enum {
	BULK = 3 << 20,
	REKEY = 1 << 20
};

static struct jobkey key = { .len = JOBKEY_MIN };
static unsigned char out[BULK], in[BULK];
static int updates; /* of a key, that OpenSSL heard */

/* What the other end is, and whether it dialed. */
struct stranger {
	struct tls_party party;
	struct channel ours;
	SSL_CTX *ctx;
	SSL *ssl;
	bool dialed;
};

static void
count_updates(int writes, int version, int type, const void *buf, size_t len,
    SSL *ssl, void *ignored)
{
	(void)version;
	(void)ssl;
	(void)ignored;
	if (!writes && type == SSL3_RT_HANDSHAKE && len > 0 &&
	    *(const unsigned char *)buf == SSL3_MT_KEY_UPDATE)
		updates++;
}

static SSL_SESSION *
session(SSL *ssl, const unsigned char *name, size_t len)
{
	static const unsigned char suite[] = { 0x13, 0x01 };
	unsigned char of_pair[PAIR_KEY];
	SSL_SESSION *s = SSL_SESSION_new();

	CHECK(pair_key(&key, name, len, of_pair) == 0);
	CHECK(SSL_SESSION_set1_master_key(s, of_pair, sizeof of_pair) == 1);
	CHECK(SSL_SESSION_set_cipher(s, SSL_CIPHER_find(ssl, suite)) == 1);
	CHECK(SSL_SESSION_set_protocol_version(s, TLS1_3_VERSION) == 1);
	return s;
}

static int
use(SSL *ssl, const EVP_MD *md, const unsigned char **name, size_t *len,
    SSL_SESSION **s)
{
	static unsigned char of_pair[PAIR_NAME_MAX];

	(void)md;
	*len = pair_name("stranger", "we", of_pair);
	*name = of_pair;
	*s = session(ssl, of_pair, *len);
	return 1;
}

static int
find(SSL *ssl, const unsigned char *name, size_t len, SSL_SESSION **s)
{
	*s = session(ssl, name, len);
	return 1;
}

/* Goes on with the handshake of our end, too. */
static bool
pending(struct stranger *s, int rc)
{
	int why = SSL_get_error(s->ssl, rc);
	char none;

	channel_read(&s->ours, &none, 0);
	return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
}

static void
meet(struct stranger *s, bool dials)
{
	struct hp_err e;
	int fd[2], rc;

	*s = (struct stranger){ .dialed = dials };
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) == 0);
	CHECK(tls_party_init(&s->party, "we", &key, &e) == 0);
	s->party.rekey_bytes = REKEY;
	CHECK((dials ? tls_accept(&s->party, fd[0], "stranger", &s->ours, &e)
		     : tls_connect(
			   &s->party, fd[0], "stranger", &s->ours, &e)) == 0);
	s->ctx = SSL_CTX_new(TLS_method());
	SSL_CTX_set_psk_use_session_callback(s->ctx, use);
	SSL_CTX_set_psk_find_session_callback(s->ctx, find);
	SSL_CTX_set_msg_callback(s->ctx, count_updates);
	SSL_CTX_set_num_tickets(s->ctx, 0);
	SSL_CTX_set_mode(s->ctx,
	    SSL_MODE_ENABLE_PARTIAL_WRITE |
		SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	SSL_CTX_set_block_padding(s->ctx, 512);
	s->ssl = SSL_new(s->ctx);
	SSL_set_fd(s->ssl, fd[1]);
	if (dials)
		SSL_set_connect_state(s->ssl);
	else
		SSL_set_accept_state(s->ssl);
	for (int i = 0; (rc = SSL_do_handshake(s->ssl)) != 1 && i < 100; i++)
		CHECK(pending(s, rc));
	CHECK(rc == 1);
	updates = 0;
}

static void
part(struct stranger *s)
{
	close(SSL_get_fd(s->ssl));
	SSL_free(s->ssl);
	SSL_CTX_free(s->ctx);
	channel_close(&s->ours);
	tls_party_fini(&s->party);
}

/* In pieces of any length, of which nothing is told before it is out. */
static void
we_say(struct stranger *s)
{
	size_t sent = 0, got = 0, n;
	ssize_t k;
	int rc;

	for (int i = 0; i < 100000 && got < BULK; i++) {
		n = BULK - sent < 1 + (size_t)i * 7919 % 300000
		    ? BULK - sent
		    : 1 + (size_t)i * 7919 % 300000;
		if ((k = channel_write(&s->ours, out + sent, n)) == -1)
			CHECK_EQ_I64(errno, EAGAIN);
		sent += k > 0 ? (size_t)k : 0;
		while (
		    (rc = SSL_read_ex(s->ssl, in + got, BULK - got, &n)) == 1)
			got += n;
		CHECK(got == BULK || pending(s, rc));
	}
	CHECK_BYTES(in, got, out, BULK);
}

static void
they_say(struct stranger *s)
{
	size_t sent = 0, got = 0, n;
	ssize_t k;

	for (int i = 0; i < 100000 && got < BULK; i++) {
		if (i % 50 == 10)
			CHECK(SSL_key_update(
				  s->ssl, SSL_KEY_UPDATE_REQUESTED) == 1);
		n = BULK - sent < 50000 ? BULK - sent : 50000;
		if (n > 0 && SSL_write_ex(s->ssl, out + sent, n, &n) == 1)
			sent += n;
		n = 1 + (size_t)i * 7919 % 40000;
		k = channel_read(
		    &s->ours, in + got, BULK - got < n ? BULK - got : n);
		CHECK(k > 0 || errno == EAGAIN);
		got += k > 0 ? (size_t)k : 0;
	}
	CHECK_BYTES(in, got, out, BULK);
}

/* Whoever dials: keys change on the way, and the other's records are padded. */
static void
both_say_much(void)
{
	struct stranger s;
	size_t n;
	char byte;

	for (int dials = 0; dials < 2; dials++) {
		meet(&s, dials);
		we_say(&s);
		/* The last one would go out with the next byte. */
		CHECK_EQ_I64(updates, BULK / REKEY - 1);
		they_say(&s);
		/* Who is asked for a new key gives it with what it says. */
		updates = 0;
		CHECK(channel_write(&s.ours, "x", 1) == 1);
		CHECK(SSL_read_ex(s.ssl, &byte, 1, &n) == 1 && byte == 'x');
		CHECK_EQ_I64(updates, 1);
		part(&s);
	}
}

static void
ends_are_told(void)
{
	struct stranger s;
	size_t n;
	char byte;

	meet(&s, true);
	CHECK(SSL_write_ex(s.ssl, "x", 1, &n) == 1);
	CHECK(SSL_shutdown(s.ssl) == 0);
	CHECK_EQ_I64(channel_read(&s.ours, &byte, 1), 1);
	CHECK_EQ_I64(channel_read(&s.ours, &byte, 1), 0);
	channel_close(&s.ours);
	CHECK(SSL_read_ex(s.ssl, &byte, 1, &n) == 0);
	CHECK_EQ_I64(SSL_get_error(s.ssl, 0), SSL_ERROR_ZERO_RETURN);
	part(&s);
}

/* Nothing of a record that is not whole, or not genuine, is a byte of ours. */
static void
not_genuine(void)
{
	static const char *const what[] = {
		"\x17\x03\x03\x00\x12", /* flipped */
		"\x17\x03\x03\x40\x12", "\x17\x03\x03\x00\x10",
		"\x16\x03\x03\x00\x12", "\x17\x03\x01\x00\x12"
	};
	unsigned char record[5 + 18] = "";
	struct stranger s;
	char byte;

	for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
		meet(&s, true);
		memcpy(record, what[i], 5);
		CHECK(write(SSL_get_fd(s.ssl), record, sizeof record) ==
		    sizeof record);
		CHECK_EQ_I64(channel_read(&s.ours, &byte, 1), -1);
		CHECK_EQ_I64(errno, ECONNRESET);
		CHECK_EQ_STR(channel_why(&s.ours),
		    i == 0 ? "what it sent was damaged on the way"
			   : "does not speak TLS as it should");
		part(&s);
	}
}

int
main(void)
{
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < BULK; i++)
		out[i] = (unsigned char)(i * 2654435761u >> 13);
	RUN(both_say_much);
	RUN(ends_are_told);
	RUN(not_genuine);
	return test_done();
}

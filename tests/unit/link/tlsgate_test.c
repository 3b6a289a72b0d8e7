/*
 * A TLS peer with a certificate but without the pair's key gets no data. Two
 * checks prevent it. The connecting end verifies certificates and trusts no
 * authority. Both ends require the session that the key yields. Each check is
 * tested with the other one disabled.
 */

#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "link/channel.h"
#include "link/tls.h"
#include "test.h"

enum {
	TURNS = 20 /* calls of each end; a handshake needs fewer */
};

/* A node, and the end of a connection to it that a stranger holds. */
struct meeting {
	struct jobkey key;
	struct tls_party party;
	struct channel node;
	SSL_CTX *ctx;
	SSL *stranger;
	int shaken; /* last result of the stranger's SSL_do_handshake */
	/* bytes of the node's first data that the stranger could read */
	int got;
	int fd[2]; /* the node's end, the stranger's end */
};

/* Gives an end a self-signed certificate. */
static void
certify(SSL_CTX *ctx)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *x = X509_new();

	CHECK(X509_set_version(x, X509_VERSION_3) == 1);
	CHECK(ASN1_INTEGER_set(X509_get_serialNumber(x), 1) == 1);
	CHECK(X509_gmtime_adj(X509_getm_notBefore(x), -60) != NULL);
	CHECK(X509_gmtime_adj(X509_getm_notAfter(x), 3600) != NULL);
	CHECK(X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN",
		  MBSTRING_ASC, (const unsigned char *)"b", -1, -1, 0) == 1);
	CHECK(X509_set_issuer_name(x, X509_get_subject_name(x)) == 1);
	CHECK(X509_set_pubkey(x, key) == 1);
	CHECK(X509_sign(x, key, EVP_sha256()) > 0);
	CHECK(SSL_CTX_use_certificate(ctx, x) == 1);
	CHECK(SSL_CTX_use_PrivateKey(ctx, key) == 1);
	X509_free(x);
	EVP_PKEY_free(key);
}

static void
begin(struct meeting *m)
{
	struct hp_err e;

	*m = (struct meeting){ .node = CHANNEL_NONE };
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
		  m->fd) == 0);
	memset(m->key.bytes, 1, JOBKEY_MIN);
	m->key.len = JOBKEY_MIN;
	CHECK(tls_party_init(&m->party, "a", &m->key, &e) == 0);
	m->ctx = SSL_CTX_new(TLS_method());
}

static void
end(struct meeting *m)
{
	channel_close(&m->node);
	tls_party_fini(&m->party);
	SSL_free(m->stranger);
	SSL_CTX_free(m->ctx);
	close(m->fd[1]);
}

/* The node's end of the connection, which sends its first data at once. */
static void
node_side(struct meeting *m, bool calls)
{
	struct hp_err e;

	if (calls)
		CHECK(tls_connect(&m->party, m->fd[0], "b", &m->node, &e) == 0);
	else
		CHECK(tls_accept(&m->party, m->fd[0], "b", &m->node, &e) == 0);
	m->stranger = SSL_new(m->ctx);
	CHECK(SSL_set_fd(m->stranger, m->fd[1]) == 1);
	if (calls)
		SSL_set_accept_state(m->stranger);
	else
		SSL_set_connect_state(m->stranger);
	channel_write_first(&m->node, "secret", 6);
}

/*
 * Lets both ends proceed until nothing changes.  Returns errno of the node's
 * last read, or 0 if the read succeeded.
 */
static int
go_on(struct meeting *m)
{
	char buf[16];
	int errnum = EAGAIN;

	for (int i = 0; i < TURNS && errnum == EAGAIN; i++) {
		m->shaken = SSL_do_handshake(m->stranger);
		if (m->shaken == 1)
			SSL_write(m->stranger, "intruder", 8);
		errno = 0;
		if (channel_read(&m->node, buf, sizeof buf) >= 0)
			errnum = 0;
		else
			errnum = errno;
	}
	if (m->shaken != 1)
		m->shaken = SSL_do_handshake(m->stranger);
	m->got = SSL_read(m->stranger, buf, sizeof buf);
	return errnum;
}

/* The certificate alone is rejected: the stranger's handshake never
 * completes. */
static void
no_certificate_is_believed(void)
{
	struct meeting m;

	begin(&m);
	certify(m.ctx);
	node_side(&m, true);
	CHECK_EQ_I64(go_on(&m), EACCES);
	CHECK(m.shaken != 1);
	CHECK(m.got <= 0);
	end(&m);
}

static int
believe(X509_STORE_CTX *store, void *ignored)
{
	(void)store;
	(void)ignored;
	return 1;
}

/* Even if the connecting end accepted every certificate, it would require the
 * key. */
static void
a_certificate_is_no_key(void)
{
	struct meeting m;

	begin(&m);
	certify(m.ctx);
	SSL_CTX_set_cert_verify_callback(m.party.ctx, believe, NULL);
	node_side(&m, true);
	CHECK_EQ_I64(go_on(&m), EACCES);
	CHECK_EQ_I64(m.shaken, 1);
	CHECK_EQ_STR(channel_why(&m.node), "has no key");
	CHECK(m.got <= 0);
	end(&m);
}

/* A node rejects a connecting peer without the key, even with a certificate. */
static void
a_caller_needs_the_key(void)
{
	struct meeting m;

	for (int certified = 0; certified < 2; certified++) {
		begin(&m);
		if (certified == 1)
			certify(m.party.ctx);
		node_side(&m, false);
		CHECK_EQ_I64(go_on(&m), EACCES);
		CHECK((m.shaken == 1) == (certified == 1));
		CHECK_EQ_STR(channel_why(&m.node), "has no key");
		CHECK(m.got <= 0);
		end(&m);
	}
}

/*
 * Versions before TLS 1.3 do not have the required sessions, so they are
 * refused.
 */
static void
no_older_version(void)
{
	struct meeting m;

	for (int calls = 0; calls < 2; calls++) {
		begin(&m);
		certify(m.ctx);
		certify(m.party.ctx);
		SSL_CTX_set_cert_verify_callback(m.party.ctx, believe, NULL);
		CHECK(
		    SSL_CTX_set_max_proto_version(m.ctx, TLS1_2_VERSION) == 1);
		node_side(&m, calls == 1);
		CHECK_EQ_I64(go_on(&m), EACCES);
		CHECK(m.shaken != 1);
		end(&m);
	}
}

int
main(void)
{
	signal(SIGPIPE, SIG_IGN);
	RUN(no_certificate_is_believed);
	RUN(a_certificate_is_no_key);
	RUN(a_caller_needs_the_key);
	RUN(no_older_version);
	return test_done();
}

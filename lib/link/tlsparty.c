#include "link/tlskeys.h"
#include "link/tlsparty.h"

#include "link/openssl.h"

/*
 * After this many bytes, a connection changes its traffic key. AES-GCM is
 * secure for 2^24.5 records under one key (RFC 8446, 5.5), which is 380 GB.
 * OpenSSL does not count the records.
 */
static const uint64_t REKEY_BYTES = UINT64_C(64) << 30;

enum {
	READ_BUFFER = 1 << 16 /* bytes that one read(2) may fetch */
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
	SSL_CTX *ctx;

	*p = (struct tls_party){ NULL, self, key, REKEY_BYTES, TLS_RECORDS };
	if (openssl_load(e) == -1)
		return -1;
	ctx = p->ctx = SSL_CTX_new(TLS_method());
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
tls_party_save_memory(struct tls_party *p)
{
	p->records = TLS_RECORDS_FEW;
	SSL_CTX_set_mode(p->ctx, SSL_MODE_RELEASE_BUFFERS);
}

struct tls_party
tls_party_with_key(const struct tls_party *p, const struct jobkey *key)
{
	struct tls_party copy = *p;

	copy.key = key;
	return copy;
}

void
tls_party_fini(struct tls_party *p)
{
	if (p->ctx != NULL)
		SSL_CTX_free(p->ctx);
	*p = (struct tls_party){ 0 };
}

SSL *
tls_party_ssl(struct tls_party *p, int fd, BIO **out)
{
	SSL *ssl = SSL_new(p->ctx);
	BIO *socket;

	if (ssl == NULL || SSL_set_fd(ssl, fd) != 1 ||
	    (*out = BIO_new(BIO_f_buffer())) == NULL) {
		SSL_free(ssl);
		return NULL;
	}
	socket = SSL_get_rbio(ssl);
	BIO_up_ref(socket);
	SSL_set0_wbio(ssl, BIO_push(*out, socket));
	if (BIO_set_write_buffer_size(
		*out, (long)p->records * SSL3_RT_MAX_PACKET_SIZE) != 1) {
		SSL_free(ssl);
		return NULL;
	}
	return ssl;
}

#include "link/tlskeys.h"

#include "link/openssl.h"

static const unsigned char suite[] = { 0x13, 0x01 };

static const char suites[] = "TLS_AES_128_GCM_SHA256:"
			     "TLS_CHACHA20_POLY1305_SHA256";

/*
 * Returns the key of a pair of nodes as a session that OpenSSL can resume.
 * Returns NULL on failure.
 */
static SSL_SESSION *
session_of(SSL *ssl, const unsigned char *name, size_t len)
{
	const struct tls_pair *p = SSL_get_app_data(ssl);
	const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, suite);
	SSL_SESSION *s = SSL_SESSION_new();
	unsigned char key[PAIR_KEY];

	if (s == NULL || cipher == NULL ||
	    pair_key(p->key, name, len, key) == -1 ||
	    SSL_SESSION_set1_master_key(s, key, sizeof key) != 1 ||
	    SSL_SESSION_set_cipher(s, cipher) != 1 ||
	    SSL_SESSION_set_protocol_version(s, TLS1_3_VERSION) != 1) {
		SSL_SESSION_free(s);
		s = NULL;
	}
	explicit_bzero(key, sizeof key);
	return s;
}

static int
use_session(SSL *ssl, const EVP_MD *md, const unsigned char **name, size_t *len,
    SSL_SESSION **s)
{
	struct tls_pair *p = SSL_get_app_data(ssl);

	*s = NULL;
	/*
	 * After a retry request the server may ask for a hash other than
	 * SHA-256. In this case offer no key, because the keys work only with
	 * SHA-256.
	 */
	if (md != NULL && EVP_MD_get_type(md) != NID_sha256)
		return 1;
	*name = p->name;
	*len = p->name_len;
	*s = session_of(ssl, p->name, p->name_len);
	return *s != NULL;
}

/*
 * Finds the key of the pair that the client named. If there is none, the
 * handshake fails, because neither side has a certificate.
 */
static int
find_session(SSL *ssl, const unsigned char *name, size_t len, SSL_SESSION **s)
{
	struct tls_pair *p = SSL_get_app_data(ssl);

	*s = NULL;
	if (!pair_name_is_to(name, len, p->self)) {
		p->why = "expects another node, or has no key";
		return 1;
	}
	*s = session_of(ssl, name, len);
	return *s != NULL;
}

bool
tlskeys_use(SSL_CTX *ctx)
{
	SSL_CTX_set_psk_use_session_callback(ctx, use_session);
	SSL_CTX_set_psk_find_session_callback(ctx, find_session);
	return SSL_CTX_set_ciphersuites(ctx, suites) == 1;
}

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "net/seal.h"

/*
 * HKDF-Expand-Label without context (RFC 8446, 7.1), for one block of SHA-256,
 * which is all that is needed.
 */
static int
expand(const unsigned char secret[SEAL_SECRET], const char *label,
    unsigned char *out, size_t len)
{
	static const char prefix[] = "tls13 ";
	unsigned char info[64], block[EVP_MAX_MD_SIZE], *p = info;
	size_t of_label = strlen(label), of_prefix = sizeof prefix - 1;
	bool done;

	*p++ = 0;
	*p++ = (unsigned char)len;
	*p++ = (unsigned char)(of_prefix + of_label);
	memcpy(p, prefix, of_prefix);
	memcpy(p += of_prefix, label, of_label);
	p += of_label;
	*p++ = 0; /* no context */
	*p++ = 1; /* the first block */
	done = HMAC(EVP_sha256(), secret, SEAL_SECRET, info, (size_t)(p - info),
		   block, NULL) != NULL;
	if (done)
		memcpy(out, block, len);
	OPENSSL_cleanse(block, sizeof block);
	return done ? 0 : -1;
}

/* The key, and what the numbers of the records are mixed with (7.3). */
static int
begin(struct seal *s)
{
	unsigned char key[GCM_KEY];

	gcm_free(s->gcm);
	s->gcm = NULL;
	s->number = 0;
	if (expand(s->secret, "key", key, sizeof key) == 0 &&
	    expand(s->secret, "iv", s->iv, sizeof s->iv) == 0)
		s->gcm = gcm_new(key, s->seals);
	OPENSSL_cleanse(key, sizeof key);
	return s->gcm != NULL ? 0 : -1;
}

int
seal_init(struct seal *s, const unsigned char secret[SEAL_SECRET], bool seals)
{
	*s = (struct seal){ .seals = seals };
	memcpy(s->secret, secret, sizeof s->secret);
	return begin(s);
}

void
seal_fini(struct seal *s)
{
	gcm_free(s->gcm);
	OPENSSL_cleanse(s, sizeof *s);
}

int
seal_update(struct seal *s)
{
	unsigned char next[SEAL_SECRET];
	int rc = expand(s->secret, "traffic upd", next, sizeof next);

	memcpy(s->secret, next, sizeof next);
	OPENSSL_cleanse(next, sizeof next);
	return rc == 0 ? begin(s) : -1;
}

/* No two records under one key have the same (5.3). */
static void
make_nonce(struct seal *s, unsigned char nonce[GCM_NONCE])
{
	memcpy(nonce, s->iv, GCM_NONCE);
	for (int i = 0; i < 8; i++)
		nonce[GCM_NONCE - 1 - i] ^= (unsigned char)(s->number >> 8 * i);
	s->number++;
}

int
seal_close(struct seal *s, enum seal_type type, const void *text, size_t n,
    unsigned char *record)
{
	unsigned char nonce[GCM_NONCE];
	size_t len = n + SEAL_TAIL;

	record[0] = SEAL_DATA;
	record[1] = 3;
	record[2] = 3;
	record[3] = (unsigned char)(len >> 8);
	record[4] = (unsigned char)len;
	make_nonce(s, nonce);
	return gcm_seal(s->gcm, nonce, record, text, n, (unsigned char)type,
	    record + SEAL_HEAD);
}

int
seal_look(const unsigned char *record, size_t have, size_t *n)
{
	size_t len;

	if (have < SEAL_HEAD)
		return 0;
	len = (size_t)record[3] << 8 | record[4];
	if (record[0] != SEAL_DATA || record[1] != 3 || record[2] != 3 ||
	    len < SEAL_TAIL || len > SEAL_TEXT + SEAL_TAIL)
		return -1;
	*n = len - SEAL_TAIL;
	return have >= SEAL_HEAD + len;
}

int
seal_open(struct seal *s, const unsigned char *record, size_t *n,
    unsigned char *text, unsigned char *type)
{
	unsigned char nonce[GCM_NONCE];

	make_nonce(s, nonce);
	if (gcm_open(s->gcm, nonce, record, record + SEAL_HEAD, *n, text,
		type) == -1)
		return -1;
	/* The type is the last byte that is not padding. */
	while (*type == 0 && *n > 0)
		*type = text[--*n];
	return *type == 0 ? -1 : 0;
}

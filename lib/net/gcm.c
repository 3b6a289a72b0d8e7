#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "net/gcm.h"
#include "net/vaes.h"

struct gcm {
	struct vaes *vaes; /* NULL: OpenSSL does it */
	EVP_CIPHER_CTX *ctx;
};

struct gcm *
gcm_new(const unsigned char key[GCM_KEY], int seals)
{
	struct gcm *g = calloc(1, sizeof *g);

	if (g == NULL || (g->vaes = vaes_new(key)) != NULL)
		return g;
	if ((g->ctx = EVP_CIPHER_CTX_new()) == NULL ||
	    EVP_CipherInit_ex(
		g->ctx, EVP_aes_128_gcm(), NULL, key, NULL, seals) != 1) {
		gcm_free(g);
		return NULL;
	}
	return g;
}

void
gcm_free(struct gcm *g)
{
	if (g == NULL)
		return;
	vaes_free(g->vaes);
	EVP_CIPHER_CTX_free(g->ctx);
	free(g);
}

/* The text by itself, then the byte behind it. */
static int
pass(struct gcm *g, const unsigned char *nonce, const unsigned char *head,
    const unsigned char *in, size_t n, const unsigned char *in_last,
    unsigned char *out, unsigned char *out_last)
{
	int len;

	return EVP_CipherInit_ex(g->ctx, NULL, NULL, NULL, nonce, -1) == 1 &&
		EVP_CipherUpdate(g->ctx, NULL, &len, head, GCM_HEAD) == 1 &&
		EVP_CipherUpdate(g->ctx, out, &len, in, (int)n) == 1 &&
		EVP_CipherUpdate(g->ctx, out_last, &len, in_last, 1) == 1
	    ? 0
	    : -1;
}

int
gcm_seal(struct gcm *g, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const void *text, size_t n,
    unsigned char last, unsigned char *out)
{
	unsigned char *tag = out + n + 1;
	int len;

	if (g->vaes != NULL) {
		vaes_seal(g->vaes, nonce, head, text, n, last, out);
		return 0;
	}
	return pass(g, nonce, head, text, n, &last, out, out + n) == 0 &&
		EVP_CipherFinal_ex(g->ctx, tag, &len) == 1 &&
		EVP_CIPHER_CTX_ctrl(
		    g->ctx, EVP_CTRL_AEAD_GET_TAG, GCM_TAG, tag) == 1
	    ? 0
	    : -1;
}

int
gcm_open(struct gcm *g, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const unsigned char *in, size_t n,
    unsigned char *text, unsigned char *last)
{
	unsigned char tag[GCM_TAG], none;
	int len;

	if (g->vaes != NULL)
		return vaes_open(g->vaes, nonce, head, in, n, text, last);
	memcpy(tag, in + n + 1, sizeof tag);
	return pass(g, nonce, head, in, n, in + n, text, last) == 0 &&
		EVP_CIPHER_CTX_ctrl(
		    g->ctx, EVP_CTRL_AEAD_SET_TAG, GCM_TAG, tag) == 1 &&
		EVP_CipherFinal_ex(g->ctx, &none, &len) == 1
	    ? 0
	    : -1;
}

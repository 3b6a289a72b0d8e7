#include "net/vaes.h"

#ifdef HP_IPSEC_MB

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <intel-ipsec-mb.h>
#include <openssl/crypto.h>

enum {
	KEY_ALIGN = 64
};

struct vaes {
	struct gcm_key_data *key;
	struct gcm_context_data state;
};

/* The functions for this processor: nothing else of it is used. */
static IMB_MGR *by;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
choose(void)
{
	const uint64_t needs = IMB_FEATURE_VAES | IMB_FEATURE_VPCLMULQDQ;
	IMB_MGR *m = alloc_mb_mgr(0);

	if (m == NULL)
		return;
	init_mb_mgr_auto(m, NULL);
	if (imb_get_errno(m) == 0 && (m->features & needs) == needs)
		by = m;
	else
		free_mb_mgr(m);
}

struct vaes *
vaes_new(const unsigned char key[GCM_KEY])
{
	struct vaes *v;
	void *room;

	pthread_once(&once, choose);
	if (by == NULL || (v = calloc(1, sizeof *v)) == NULL)
		return NULL;
	if (posix_memalign(&room, KEY_ALIGN, sizeof *v->key) != 0) {
		free(v);
		return NULL;
	}
	v->key = room;
	IMB_AES128_GCM_PRE(by, key, v->key);
	return v;
}

void
vaes_free(struct vaes *v)
{
	if (v == NULL)
		return;
	freezero(v->key, sizeof *v->key);
	freezero(v, sizeof *v);
}

void
vaes_seal(struct vaes *v, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const void *text, size_t n,
    unsigned char last, unsigned char *out)
{
	IMB_AES128_GCM_INIT(by, v->key, &v->state, nonce, head, GCM_HEAD);
	IMB_AES128_GCM_ENC_UPDATE(by, v->key, &v->state, out, text, n);
	IMB_AES128_GCM_ENC_UPDATE(by, v->key, &v->state, out + n, &last, 1);
	IMB_AES128_GCM_ENC_FINALIZE(
	    by, v->key, &v->state, out + n + 1, GCM_TAG);
}

int
vaes_open(struct vaes *v, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const unsigned char *in, size_t n,
    unsigned char *text, unsigned char *last)
{
	unsigned char tag[GCM_TAG];

	IMB_AES128_GCM_INIT(by, v->key, &v->state, nonce, head, GCM_HEAD);
	IMB_AES128_GCM_DEC_UPDATE(by, v->key, &v->state, text, in, n);
	IMB_AES128_GCM_DEC_UPDATE(by, v->key, &v->state, last, in + n, 1);
	IMB_AES128_GCM_DEC_FINALIZE(by, v->key, &v->state, tag, GCM_TAG);
	return CRYPTO_memcmp(tag, in + n + 1, GCM_TAG) == 0 ? 0 : -1;
}

#else

struct vaes *
vaes_new(const unsigned char key[GCM_KEY])
{
	(void)key;
	return NULL;
}

void
vaes_free(struct vaes *v)
{
	(void)v;
}

void
vaes_seal(struct vaes *v, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const void *text, size_t n,
    unsigned char last, unsigned char *out)
{
	(void)v, (void)nonce, (void)head, (void)text, (void)n, (void)last;
	(void)out;
}

int
vaes_open(struct vaes *v, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const unsigned char *in, size_t n,
    unsigned char *text, unsigned char *last)
{
	(void)v, (void)nonce, (void)head, (void)in, (void)n, (void)text;
	(void)last;
	return -1;
}

#endif

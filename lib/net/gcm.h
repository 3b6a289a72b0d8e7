#ifndef HP_NET_GCM_H
#define HP_NET_GCM_H

/*
 * AES-128-GCM over the records of TLS 1.3: a text and one byte more, which is
 * elsewhere, then the tag; the head of the record is authenticated with them.
 */

#include <stddef.h>

#define GCM_KEY 16
#define GCM_NONCE 12
#define GCM_HEAD 5
#define GCM_TAG 16

struct gcm;

/* Seals, or opens.  NULL: no memory. */
struct gcm *gcm_new(const unsigned char key[GCM_KEY], int seals);
/* Harmless on NULL. */
void gcm_free(struct gcm *);

/* The n bytes, the last one and the tag go to out.  Returns 0 or -1. */
int gcm_seal(struct gcm *, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const void *text, size_t n,
    unsigned char last, unsigned char *out);
/*
 * The reverse; text may be where it came from.  Returns -1, and the text means
 * nothing, when it is not what was sealed.
 */
int gcm_open(struct gcm *, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const unsigned char *in, size_t n,
    unsigned char *text, unsigned char *last);

#endif

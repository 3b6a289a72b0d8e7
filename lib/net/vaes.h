#ifndef HP_NET_VAES_H
#define HP_NET_VAES_H

/*
 * gcm.h where the processor does AES for four blocks at a time, by Intel's
 * library, which Debian has for x86-64: in a third of the time that it takes
 * OpenSSL, which does so from 3.1 on.
 */

#include "net/gcm.h"

struct vaes;

/* NULL where there is no such processor, library, or memory. */
struct vaes *vaes_new(const unsigned char key[GCM_KEY]);
/* Harmless on NULL. */
void vaes_free(struct vaes *);

/* As gcm.h has them. */
void vaes_seal(struct vaes *, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const void *text, size_t n,
    unsigned char last, unsigned char *out);
int vaes_open(struct vaes *, const unsigned char nonce[GCM_NONCE],
    const unsigned char head[GCM_HEAD], const unsigned char *in, size_t n,
    unsigned char *text, unsigned char *last);

#endif

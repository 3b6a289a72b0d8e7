#ifndef HP_NET_SEAL_H
#define HP_NET_SEAL_H

/*
 * The records of one direction of a connection, as TLS 1.3 protects them once
 * the handshake is over (RFC 8446, 5 and 7), with TLS_AES_128_GCM_SHA256:
 *
 *   type:u8 (23) version:u16 (3,3) length:u16 | text type:u8 | tag:16 bytes
 *
 * Sealing goes from where the text is to where the record is to be, and
 * opening the other way, so that nothing is copied besides.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/gcm.h"

#define SEAL_SECRET 32
#define SEAL_TEXT 16384 /* longest text, padding included */
#define SEAL_HEAD 5	/* in front of it, */
#define SEAL_TAIL 17	/* and behind it */

enum seal_type {
	SEAL_ALERT = 21,
	SEAL_HANDSHAKE,
	SEAL_DATA
};

struct seal {
	unsigned char secret[SEAL_SECRET], iv[GCM_NONCE];
	struct gcm *gcm;
	bool seals;
	uint64_t number; /* of the next record */
};

/* Returns 0 or -1: no memory.  The secret is that of the direction. */
int
seal_init(struct seal *, const unsigned char secret[SEAL_SECRET], bool seals);
/* Harmless on a zeroed struct. */
void seal_fini(struct seal *);
/* After a KeyUpdate: the next secret takes the place of this one. */
int seal_update(struct seal *);

/* Makes a record of n bytes, at most SEAL_TEXT: SEAL_HEAD + n + SEAL_TAIL. */
int seal_close(struct seal *, enum seal_type, const void *text, size_t n,
    unsigned char *record);
/*
 * Whether so many bytes begin with a whole record: returns 1 and the length of
 * its text, 0, or -1 when this is no record.
 */
int seal_look(const unsigned char *record, size_t have, size_t *n);
/*
 * Opens a whole record, whose text may go to its own place in it.  The length
 * becomes that without padding.  Returns 0, or -1 when it is not genuine.
 */
int seal_open(struct seal *, const unsigned char *record, size_t *n,
    unsigned char *text, unsigned char *type);

#endif

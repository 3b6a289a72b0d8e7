#ifndef HP_NET_SEALED_H
#define HP_NET_SEALED_H

/*
 * The bytes of a connection of TLS 1.3 after its handshake: sealed many records
 * at a time, which go out in one write, and opened straight into the caller's
 * buffer.  OpenSSL 3.0 copies each text on either side, and writes each record
 * by itself.
 *
 * Nothing here blocks.  Errors are as channel.h has them.
 */

#include <sys/types.h>

#include "net/seal.h"

struct sealed {
	int fd; /* borrowed */
	struct seal in, out;
	uint64_t rekey_bytes, under_key; /* limit, and what was sent so far */

	unsigned char *sealed; /* what is to go out, */
	size_t sealed_at, sealed_len;
	size_t stands_for; /* bytes of the caller's, not told as taken yet */

	unsigned char *came; /* records as they came, */
	size_t came_at, came_len;
	unsigned char *text; /* one that was opened there, as far as */
	size_t text_len;     /* it is not read */
	bool drained;	     /* there was no more to read just now */
	bool asked;	     /* for a new key of ours */
	bool ended;	     /* the other end said so */
	/* The one or the other is broken, and why: strings that last. */
	const char *no_more_in, *no_more_out;
};

/* Returns 0 or -1: no memory.  The secrets are those of the directions. */
int sealed_init(struct sealed *, int fd, const unsigned char in[SEAL_SECRET],
    const unsigned char out[SEAL_SECRET], uint64_t rekey_bytes);
/* Harmless on a zeroed struct. */
void sealed_fini(struct sealed *);

/* As channel_read and channel_write. */
ssize_t sealed_read(struct sealed *, void *, size_t);
ssize_t sealed_write(struct sealed *, const void *, size_t);
/* Whether there is something to read of which poll(2) knows nothing. */
bool sealed_has(const struct sealed *);
/* Tells that nothing more comes, if there is room to say so. */
void sealed_end(struct sealed *);

#endif

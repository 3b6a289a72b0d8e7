#ifndef HP_LINK_TLSCONN_H
#define HP_LINK_TLSCONN_H

/*
 * One TLS connection: its handshake, and the buffer of encrypted records. tls.c
 * makes it a channel.
 */

#include <sys/types.h>

#include <openssl/types.h>

#include "link/tlskeys.h"
#include "link/tlsparty.h"

enum {
	TLS_FIRST_MAX = 256 /* bytes of channel_write_first */
};

struct tls {
	SSL *ssl;
	struct tls_party *party;
	struct tls_pair pair;
	/* the handshake is complete, and the first bytes are sent */
	bool ready;
	/* OpenSSL may hold received bytes that poll(2) cannot see */
	bool more;
	/* POLLIN or POLLOUT: the event that the handshake waits for */
	short wants;
	uint64_t sent; /* bytes under the present traffic key */
	/* bytes to send after the handshake */
	unsigned char first[TLS_FIRST_MAX];
	size_t first_len;
	BIO *out; /* the buffer of encrypted records */
	/*
	 * number of plaintext bytes whose encrypted records are still in `out`;
	 * tlsconn_put has not yet reported them as written
	 */
	size_t gathered;
	const char *why; /* the channel is broken; a static string */
	char peer[64];
};

/*
 * Handles a call of OpenSSL that returned rc and is not complete. Returns 0
 * when the peer has closed the connection (close_notify), else -1 with errno.
 */
ssize_t tlsconn_stopped(struct tls *, int rc);
/*
 * Encrypts bytes and writes them. Bytes count as written only after the TLS
 * records that contain them were sent. Until then, the caller must pass the
 * same bytes again in each call. The first `gathered` of them are already
 * encrypted and are skipped.
 */
ssize_t tlsconn_put(struct tls *, const unsigned char *, size_t n);
/*
 * Sends the bytes that channel_write_first has stored during the handshake.
 * Called after the handshake. Returns 0, or -1 with errno.
 */
int tlsconn_send_first(struct tls *);
/*
 * Continues the handshake. Returns 0 once the handshake is complete, or -1 with
 * errno.
 */
int tlsconn_handshake(struct tls *);

#endif

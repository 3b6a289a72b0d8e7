#ifndef HP_LINK_TLS_H
#define HP_LINK_TLS_H

/*
 * Channels that are encrypted and authenticated: TLS 1.3 with a key that both
 * ends have beforehand (RFC 8446, 2.2; RFC 9257), by OpenSSL.  Who does not
 * have the key of the pair gets no byte through, there are no certificates and
 * no tickets, each connection has fresh keys besides, and an end that is not
 * announced by close_notify is an error.
 *
 * Neither end waits in here: the handshake goes on whenever the channel is read
 * or written, and what is greeted with goes out as soon as it is done.
 */

#include <stdint.h>

#include "link/channel.h"
#include "link/jobkey.h"

/* What the connections of a node have in common. */
struct tls_party {
	void *ctx; /* SSL_CTX */
	const char *self;
	const struct jobkey *key;
	uint64_t rekey_bytes; /* sent under one key */
};

/* The name and the key are borrowed. */
int tls_party_init(struct tls_party *, const char *self, const struct jobkey *,
    struct hp_err *);
/* Harmless on a zeroed struct.  After all channels were closed. */
void tls_party_fini(struct tls_party *);

/*
 * Make a channel of a connected socket that does not block, which is taken
 * over, also in case of failure.  `peer` is for messages: where it is.
 */
int tls_accept(struct tls_party *, int fd, const char *peer, struct channel *,
    struct hp_err *);
/* The same as the one who dialed the node of the name `to`. */
int tls_connect(struct tls_party *, int fd, const char *to, struct channel *,
    struct hp_err *);

/* What channel.h says, for channel.c. */
void tls_close(struct tls *);
ssize_t tls_read(struct tls *, void *, size_t);
ssize_t tls_write(struct tls *, const void *, size_t);
int tls_greet(struct tls *, const void *, size_t);
const char *tls_why(const struct tls *);
const char *tls_peer(const struct tls *);
bool tls_watch(const struct tls *, struct pollfd *, bool in, bool out);
short tls_polled(const struct tls *, const struct pollfd *);

#endif

#ifndef HP_LINK_TLSKEYS_H
#define HP_LINK_TLSKEYS_H

/*
 * The keys of pairs of nodes, as OpenSSL takes a key that both ends have
 * beforehand: as a session to be resumed, which there never was.  Which pair it
 * is the one who dials says by its name.
 */

#include <stdbool.h>
#include <stddef.h>

#include <openssl/ssl.h>

#include "link/jobkey.h"

/* Of a connection: the app data of its SSL. */
struct tls_pair {
	const char *self; /* name of this node; borrowed, as is the key */
	const struct jobkey *key;
	unsigned char name[PAIR_NAME_MAX]; /* of the pair, where we dialed */
	size_t name_len;
	const char *why; /* there is no key for who dialed us; NULL: there is */
};

/*
 * With suites of SHA-256 alone: a server chooses the suite before it sees the
 * key, and finds no way on when the hash of the one is not that of the other
 * (openssl issue 21226).  Returns whether it could.
 */
bool tlskeys_use(SSL_CTX *);

#endif

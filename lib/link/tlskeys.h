#ifndef HP_LINK_TLSKEYS_H
#define HP_LINK_TLSKEYS_H

/*
 * The pre-shared keys of pairs of nodes, in the form that OpenSSL wants: as
 * sessions to resume. The client sends the name of the pair as the identity of
 * the key.
 */

#include <stdbool.h>
#include <stddef.h>

#include <openssl/ssl.h>

#include "link/jobkey.h"

/* The pair of nodes of a connection, stored as the app data of its SSL. */
struct tls_pair {
	const char *self;		   /* name of this node; borrowed */
	const struct jobkey *key;	   /* borrowed */
	unsigned char name[PAIR_NAME_MAX]; /* of the pair; of a client only */
	size_t name_len;
	/*
	 * why the connection is refused: the client named no pair of this node;
	 * NULL: it is not
	 */
	const char *why;
};

/*
 * Enables suites with SHA-256 only.  A server chooses the suite before it sees
 * the key, and fails if the hash of the suite is not that of the key (openssl
 * issue 21226).  Returns whether OpenSSL accepted the settings.
 */
bool tlskeys_use(SSL_CTX *);

#endif

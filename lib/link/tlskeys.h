#ifndef HP_LINK_TLSKEYS_H
#define HP_LINK_TLSKEYS_H

/*
 * The pre-shared keys of pairs of nodes, in the form that OpenSSL needs: as
 * sessions to resume. To identify a key, the client sends the name of the pair.
 */

#include <stdbool.h>
#include <stddef.h>

#include <openssl/types.h>

#include "link/jobkey.h"

/*
 * The names and the key that a connection needs. The SSL object of the
 * connection has a pointer to them (its app data).
 */
struct tls_pair {
	const char *self;	  /* name of this node; borrowed */
	const struct jobkey *key; /* borrowed */
	/* name of the pair of nodes; only for a client */
	unsigned char name[PAIR_NAME_MAX];
	size_t name_len;
	/*
	 * Why this node refuses the connection; NULL: it does not. For example,
	 * the client has named a pair of nodes to which this node does not
	 * belong.
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

#ifndef HP_LINK_TLSREASON_H
#define HP_LINK_TLSREASON_H

/* Errors of OpenSSL in words for messages about the peer. */

#include <stdbool.h>

#define TLS_CLOSED "closed the connection"

/*
 * What the peer did, for the error in OpenSSL's queue, which is then cleared.
 * `ready`: the handshake was complete.  Sets errnum to ECONNRESET, or to EACCES
 * when the peer failed authentication.  The string is static.
 */
const char *tls_reason(bool ready, int *errnum);

#endif

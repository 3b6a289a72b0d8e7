#ifndef HP_LINK_TLSREASON_H
#define HP_LINK_TLSREASON_H

/* Translates errors of OpenSSL into words for messages about the peer. */

#include <stdbool.h>

#define TLS_CLOSED "closed the connection"

/*
 * Returns a text that says what the peer did, according to the error in
 * OpenSSL's queue, and clears the queue. `ready` tells whether the handshake
 * was complete. Sets errno to ECONNRESET, or to EACCES when the peer failed
 * authentication. The string is static.
 */
const char *tls_reason(bool ready, int *errnum);

#endif

#ifndef HP_LINK_TLSPARTY_H
#define HP_LINK_TLSPARTY_H

/* The state that all TLS connections of a node share. */

#include <stdint.h>

#include <openssl/types.h>

#include "base/err.h"
#include "link/jobkey.h"

enum {
	/*
	 * Number of TLS records that one write(2) sends: those of one frame of
	 * a file. OpenSSL alone would send each TLS record with a write(2) of
	 * its own, which costs TCP more time than copying 16 KB in the cache.
	 * Two other ways were slower with tcp_bbr, which paces packets: fewer
	 * TLS records per write, and TCP_CORK, which needs no copy.
	 */
	TLS_RECORDS = 32,
	/*
	 * The same for a process with connections to very many peers, to save
	 * memory.
	 */
	TLS_RECORDS_FEW = 4
};

struct tls_party {
	SSL_CTX *ctx;
	const char *self;
	const struct jobkey *key;
	uint64_t rekey_bytes; /* sent before the traffic key is changed */
	size_t records;	      /* TLS records that one write(2) sends */
};

/*
 * Prepares the state for the connections of the node `self`. The caller must
 * keep the name and the key until tls_party_fini.
 */
int tls_party_init(struct tls_party *, const char *self, const struct jobkey *,
    struct hp_err *);
/*
 * Saves memory: connections write fewer TLS records at once, and an idle
 * connection has no buffer for reading.
 */
void tls_party_save_memory(struct tls_party *);
/*
 * Returns a copy that has another key, and shares the rest. Only the original
 * is passed to tls_party_fini, after all channels of the copy are closed.
 */
struct tls_party
tls_party_with_key(const struct tls_party *, const struct jobkey *);
/*
 * Prepares a TLS connection on a socket. Stores in *out the buffer of its
 * output, with space for `records` TLS records. BIO_flush writes the buffer to
 * the socket. Returns NULL if memory is short.
 */
SSL *tls_party_ssl(struct tls_party *, int fd, BIO **out);
/*
 * Frees the shared state. The caller must close all channels first. Does
 * nothing on a zeroed struct.
 */
void tls_party_fini(struct tls_party *);

#endif

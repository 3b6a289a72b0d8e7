#ifndef HP_JOB_PROOF_H
#define HP_JOB_PROOF_H

/*
 * Proofs that both ends of a connection know the key of the run, hp-agent(5). A
 * proof is HMAC-SHA256 (RFC 2104) of the role of its sender, the nonces of both
 * ends and the node's name. It reveals nothing about the key. It is not valid
 * for any other connection.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
	PROOF_KEY = 32, /* bytes of a key */
	/* number of random bytes that each end makes for each new connection */
	PROOF_NONCE = 32,
	PROOF_BYTES = 32
};

enum proof_role {
	PROOF_AGENT,
	PROOF_LAUNCHER
};

/* What a proof is about. */
struct proof_of {
	unsigned char agent[PROOF_NONCE], launcher[PROOF_NONCE];
	const char *node;
};

void
proof_make(unsigned char out[PROOF_BYTES], const unsigned char key[PROOF_KEY],
    enum proof_role, const struct proof_of *);
/* Compares in constant time. */
bool proof_holds(const unsigned char proof[PROOF_BYTES],
    const unsigned char key[PROOF_KEY], enum proof_role,
    const struct proof_of *);
/* HMAC-SHA256 of a message of n bytes. */
void proof_hmac(unsigned char out[PROOF_BYTES], const void *key,
    size_t key_bytes, const void *message, size_t n);

#endif

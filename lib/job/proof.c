#include <stdint.h>
#include <string.h>

#include <sha2.h>

#include "job/proof.h"

/*
 * HMAC as RFC 2104, section 2, defines it. The key must not be longer than a
 * block of the hash function.
 */
void
proof_hmac(unsigned char out[PROOF_BYTES], const void *key, size_t key_bytes,
    const void *message, size_t n)
{
	uint8_t inner[SHA256_BLOCK_LENGTH] = { 0 },
		outer[SHA256_BLOCK_LENGTH] = { 0 };
	SHA2_CTX c;

	memcpy(inner, key, key_bytes);
	memcpy(outer, key, key_bytes);
	for (size_t i = 0; i < sizeof inner; i++) {
		inner[i] ^= 0x36;
		outer[i] ^= 0x5c;
	}
	SHA256Init(&c);
	SHA256Update(&c, inner, sizeof inner);
	SHA256Update(&c, message, n);
	SHA256Final(out, &c);
	SHA256Init(&c);
	SHA256Update(&c, outer, sizeof outer);
	SHA256Update(&c, out, PROOF_BYTES);
	SHA256Final(out, &c);
	explicit_bzero(inner, sizeof inner);
	explicit_bzero(outer, sizeof outer);
}

void
proof_make(unsigned char out[PROOF_BYTES], const unsigned char key[PROOF_KEY],
    enum proof_role role, const struct proof_of *of)
{
	unsigned char message[1 + 2 * PROOF_NONCE + 256];
	size_t n = strnlen(of->node, 255);

	message[0] = role == PROOF_AGENT ? 'a' : 'l';
	memcpy(message + 1, of->agent, PROOF_NONCE);
	memcpy(message + 1 + PROOF_NONCE, of->launcher, PROOF_NONCE);
	memcpy(message + 1 + 2 * PROOF_NONCE, of->node, n);
	proof_hmac(out, key, PROOF_KEY, message, 1 + 2 * PROOF_NONCE + n);
}

bool
proof_holds(const unsigned char proof[PROOF_BYTES],
    const unsigned char key[PROOF_KEY], enum proof_role role,
    const struct proof_of *of)
{
	unsigned char want[PROOF_BYTES], differ = 0;

	proof_make(want, key, role, of);
	for (size_t i = 0; i < sizeof want; i++)
		differ |= (unsigned char)(want[i] ^ proof[i]);
	return differ == 0;
}

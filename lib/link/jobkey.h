#ifndef HP_LINK_JOBKEY_H
#define HP_LINK_JOBKEY_H

/*
 * The key that the nodes of one exchange have in common, and what is made of
 * it: another key for each ordered pair of nodes.  With one key for all, what
 * a node says could be played back to it as if another had said it (Drucker
 * and Gueron 2019, "Selfie"; RFC 9257).
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum {
	JOBKEY_MIN = 32, /* bytes of a key, any */
	JOBKEY_MAX = 4096,
	PAIR_KEY = 32,
	PAIR_NAME_MAX = 4 + 2 * 256
};

struct jobkey {
	unsigned char bytes[JOBKEY_MAX];
	size_t len;
};

/*
 * The whole file is the key.  "-" is standard input.  HP_INPUT when it is too
 * short or too long, or a file or FIFO that others may read, or of somebody
 * else.
 */
int jobkey_read(struct jobkey *, const char *path, struct hp_err *);
void jobkey_wipe(struct jobkey *);

/*
 * What a pair of nodes is called, in the first message of a connection and in
 * what its key is made of: "hp1", from and to, with a NUL after each.  No name
 * has one (hp-cluster(5)).  Returns the length.
 */
size_t
pair_name(const char *from, const char *to, unsigned char out[PAIR_NAME_MAX]);
/* Whether the bytes are the name of a pair whose second node is this. */
bool pair_name_is_to(const unsigned char *name, size_t len, const char *to);

/*
 * The key of a pair: HKDF with SHA-256 (RFC 5869), without salt, the name of
 * the pair as info.
 */
int pair_key(const struct jobkey *, const unsigned char *name, size_t len,
    unsigned char out[PAIR_KEY]);

#endif

#ifndef HP_LINK_JOBKEY_H
#define HP_LINK_JOBKEY_H

/*
 * The key that the nodes of one exchange share, and the keys derived from it,
 * one for each ordered pair of nodes. With a single key for all pairs, an
 * attacker could send a node's messages back to it (Drucker and Gueron 2019,
 * "Selfie"; RFC 9257).
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum {
	JOBKEY_MIN = 32, /* bytes of a key */
	JOBKEY_MAX = 4096,
	PAIR_KEY = 32, /* bytes of a derived key */
	/*
	 * maximum length of a pair's name; a node's name has at most 255 bytes
	 */
	PAIR_NAME_MAX = 4 + 2 * 256
};

struct jobkey {
	unsigned char bytes[JOBKEY_MAX];
	size_t len;
};

/*
 * Reads a key: all bytes of the file. "-" is standard input. Fails with
 * HP_INPUT when the key is too short or too long. Also fails when the file or
 * FIFO belongs to another user or is readable by others.
 */
int jobkey_read(struct jobkey *, const char *path, struct hp_err *);
/* Overwrites the key. */
void jobkey_wipe(struct jobkey *);

/*
 * Writes the name of a pair of nodes: "hp1", the name of the sender and the
 * name of the receiver. Each of the three ends with a NUL, which no node name
 * contains (hp-cluster(5)). In TLS, the name of the pair identifies its key.
 * pair_key derives the key from the name. Returns the length.
 */
size_t
pair_name(const char *from, const char *to, unsigned char out[PAIR_NAME_MAX]);
/* Returns whether the bytes are the name of a pair whose receiver is `to`. */
bool pair_name_is_to(const unsigned char *name, size_t len, const char *to);

/*
 * Derives the key of a pair by HKDF with SHA-256 (RFC 5869), without salt and
 * with the name of the pair as info.  Returns 0 or -1.
 */
int pair_key(const struct jobkey *, const unsigned char *name, size_t len,
    unsigned char out[PAIR_KEY]);

#endif

#include <string.h>

#include <md5.h>

#include "record/part.h"

/*
 * A random permutation of the keys, equal ones together: by the MD5 of salt
 * and text as GNU sort does it, so that the same --random-source gives the
 * same order there and here; by the text where even these are equal.
 */
int
part_random(struct keybuf *b, const unsigned char salt[ORDER_SALT],
    const unsigned char *s, size_t len)
{
	unsigned char digest[MD5_DIGEST_LENGTH];
	MD5_CTX state;

	MD5Init(&state);
	MD5Update(&state, salt, ORDER_SALT);
	MD5Update(&state, s, len);
	MD5Final(digest, &state);
	if (keybuf_put(b, digest, sizeof digest) == -1)
		return -1;
	return part_escaped(b, s, len);
}

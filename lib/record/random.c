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

static void
digest(const unsigned char salt[ORDER_SALT], struct text t,
    unsigned char to[MD5_DIGEST_LENGTH])
{
	unsigned char some[1 << 10];
	MD5_CTX state;
	size_t n;
	int c;

	MD5Init(&state);
	MD5Update(&state, salt, ORDER_SALT);
	do {
		for (n = 0; n < sizeof some && (c = text_next(&t)) != -1;)
			some[n++] = (unsigned char)c;
		MD5Update(&state, some, n);
	} while (n > 0);
	MD5Final(to, &state);
}

int
random_compare(
    const unsigned char salt[ORDER_SALT], struct text a, struct text b)
{
	unsigned char x[MD5_DIGEST_LENGTH], y[MD5_DIGEST_LENGTH];

	digest(salt, a, x);
	digest(salt, b, y);
	return memcmp(x, y, sizeof x);
}

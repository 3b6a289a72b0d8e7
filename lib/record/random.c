#include <md5.h>

#include "record/part.h"

/*
 * A random permutation of the keys, equal ones together: by the MD5 of salt
 * and text as GNU sort does it, so that the same --random-source gives the
 * same order there and here; by the text where even these are equal.
 */
void
random_begin(
    struct part *p, const unsigned char salt[ORDER_SALT], struct text t)
{
	unsigned char some[1 << 10];
	MD5_CTX state;
	size_t n;

	MD5Init(&state);
	MD5Update(&state, salt, ORDER_SALT);
	text_begin(p, t, false);
	while ((n = text_fill(p, some, sizeof some)) > 0)
		MD5Update(&state, some, n);
	MD5Final(p->head, &state);
	p->nhead = MD5_DIGEST_LENGTH;
	text_begin(p, t, true);
}

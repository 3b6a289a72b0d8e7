#include <md5.h>

#include "record/part.h"
#include "record/random.h"
#include "record/text.h"

/*
 * Keys for -R: a random order that keeps equal keys together. The key is the
 * MD5 hash of salt and text, as in GNU sort. So the same --random-source gives
 * the same order in both programs. If two hashes are equal, the text decides.
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

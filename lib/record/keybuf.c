#include "base/bytes.h"
#include "base/space.h"
#include "record/keybuf.h"
#include "record/part.h"

enum {
	GROWS_FROM = 256
};

void
keybuf_fini(struct keybuf *b)
{
	space_free(b->bytes, b->cap);
	*b = (struct keybuf){ .most = b->most };
}

int
keybuf_grow(struct keybuf *b, size_t n)
{
	unsigned char *grown;
	size_t cap;

	if (__builtin_add_overflow(b->len, n, &cap) || cap > SIZE_MAX / 2)
		return -1;
	cap = cap < GROWS_FROM ? GROWS_FROM : cap + cap / 2;
	if ((grown = space_grow(b->bytes, b->cap, cap)) == NULL)
		return -1;
	b->bytes = grown;
	b->cap = cap;
	return 0;
}

void
complement(unsigned char *p, size_t n)
{
	for (; n >= 8; p += 8, n -= 8)
		put64(p, ~get64(p));
	for (; n > 0; n--, p++)
		*p = (unsigned char)~*p;
}

int
keybuf_put(struct keybuf *b, const void *s, size_t n)
{
	if (keybuf_reserve(b, n) == -1)
		return -1;
	if (n > 0)
		memcpy(b->bytes + b->len, s, n);
	b->len += n;
	return 0;
}

#include <stdlib.h>
#include <string.h>

#include "record/part.h"

void
keybuf_fini(struct keybuf *b)
{
	free(b->bytes);
	*b = (struct keybuf){ 0 };
}

int
keybuf_reserve(struct keybuf *b, size_t n)
{
	unsigned char *grown;
	size_t cap;

	if (b->cap - b->len >= n)
		return 0;
	if (__builtin_add_overflow(b->len, n, &cap) || cap > SIZE_MAX / 2)
		return -1;
	cap = cap < 256 ? 256 : cap + cap / 2;
	if ((grown = realloc(b->bytes, cap)) == NULL)
		return -1;
	b->bytes = grown;
	b->cap = cap;
	return 0;
}

void
keybuf_complement(struct keybuf *b, size_t start)
{
	for (size_t i = start; i < b->len; i++)
		b->bytes[i] = (unsigned char)~b->bytes[i];
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

/* Escaped and ended. */
int
part_escaped(struct keybuf *b, const unsigned char *s, size_t n)
{
	unsigned char *p;

	if (n > (SIZE_MAX - 1) / 2 || keybuf_reserve(b, 2 * n + 1) == -1)
		return -1;
	p = b->bytes + b->len;
	for (size_t i = 0; i < n; i++) {
		if (s[i] > 1)
			*p++ = s[i];
		else {
			*p++ = 1;
			*p++ = (unsigned char)(s[i] + 1);
		}
	}
	*p++ = 0;
	b->len = (size_t)(p - b->bytes);
	return 0;
}

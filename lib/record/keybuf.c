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

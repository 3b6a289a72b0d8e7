#include <string.h>

#include "base/bytes.h"
#include "base/space.h"
#include "record/part.h"

void
keybuf_fini(struct keybuf *b)
{
	space_free(b->bytes, b->cap);
	*b = (struct keybuf){ .most = b->most };
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
	if ((grown = space_grow(b->bytes, b->cap, cap)) == NULL)
		return -1;
	b->bytes = grown;
	b->cap = cap;
	return 0;
}

void
keybuf_complement(struct keybuf *b, size_t start)
{
	unsigned char *p = b->bytes + start, *end = b->bytes + b->len;

	for (; end - p >= 8; p += 8)
		put64(p, ~get64(p));
	for (; p < end; p++)
		*p = (unsigned char)~*p;
}

int
keybuf_put(struct keybuf *b, const void *s, size_t n)
{
	n = n < keybuf_wants(b) ? n : keybuf_wants(b);
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

	n = n < keybuf_wants(b) ? n : keybuf_wants(b);
	if (n > (SIZE_MAX - 1) / 2 || keybuf_reserve(b, 2 * n + 1) == -1)
		return -1;
	p = b->bytes + b->len;
	for (const unsigned char *end = s + n; s < end;) {
		if (end - s >= 8 && bytes_below(get64(s), 2) == 0) {
			memcpy(p, s, 8);
			p += 8;
			s += 8;
			continue;
		}
		if (*s <= 1)
			*p++ = 1;
		*p++ = (unsigned char)(*s + (*s <= 1));
		s++;
	}
	*p++ = 0;
	b->len = (size_t)(p - b->bytes);
	return 0;
}

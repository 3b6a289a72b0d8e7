#ifndef HP_RECORD_KEYBUF_H
#define HP_RECORD_KEYBUF_H

/* Memory for keys that are built, because they are not part of the record. */

#include "record/order.h"

/* Enlarges the buffer, so that n more bytes fit. */
int keybuf_grow(struct keybuf *, size_t n);
static inline int
keybuf_reserve(struct keybuf *b, size_t n)
{
	return b->cap - b->len >= n ? 0 : keybuf_grow(b, n);
}
int keybuf_put(struct keybuf *, const void *, size_t n);
/* Returns true if the key has reached its maximum length. */
static inline bool
keybuf_is_full(const struct keybuf *b)
{
	return b->most > 0 && b->len == b->most;
}
/* Complements n bytes, which reverses their order. */
void complement(unsigned char *, size_t n);
void keybuf_fini(struct keybuf *);

#endif

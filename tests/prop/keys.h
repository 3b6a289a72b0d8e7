#ifndef HP_PROP_KEYS_H
#define HP_PROP_KEYS_H

#include "record/key.h"
#include "record/keybuf.h"

/* Compares the keys of two records of n and m bytes. */
static inline int
keys_compare(const struct order *o, const unsigned char *x, size_t n,
    const unsigned char *y, size_t m)
{
	struct keybuf bx = { 0 }, by = { 0 };
	struct key kx, ky;
	int c;

	order_key(o, x, n, &bx, &kx);
	order_key(o, y, m, &by, &ky);
	c = key_cmp(kx.bytes, kx.len, ky.bytes, ky.len);
	keybuf_fini(&bx);
	keybuf_fini(&by);
	return c;
}

#endif

#ifndef HP_RECORD_DECODE_KEY_H
#define HP_RECORD_DECODE_KEY_H

/*
 * Reads a normalized key (bytes that memcmp sorts as the options ask) from its
 * first byte on. Only the decoders in lib/record include this header.
 */

#include "record/keybuf.h"
#include "record/part.h"

struct encoded {
	const unsigned char *at, *end;
	unsigned char mask; /* 0xff: the bytes are complemented */
};

/* Returns the next byte without consuming it, or -1 at the end. */
static inline int
encoded_peek(const struct encoded *k)
{
	return k->at == k->end ? -1 : *k->at ^ k->mask;
}

/* Consumes the next byte. Returns it, or -1 at the end. */
static inline int
encoded_next(struct encoded *k)
{
	return k->at == k->end ? -1 : *k->at++ ^ k->mask;
}

/*
 * Reads a big-endian number of n bytes from the key. Returns false if the key
 * is too short.
 */
static inline bool
encoded_big(struct encoded *k, size_t n, uint64_t *out)
{
	int c;

	for (*out = 0; n > 0; n--) {
		if ((c = encoded_next(k)) == -1)
			return false;
		*out = *out << 8 | (unsigned)c;
	}
	return true;
}

static inline int
decoded_char(struct keybuf *to, int c)
{
	unsigned char byte = (unsigned char)c;

	return keybuf_put(to, &byte, 1) == -1 ? -1 : 1;
}

#endif

#ifndef HP_RECORD_DECODE_H
#define HP_RECORD_DECODE_H

/*
 * Turns normalized keys (bytes that memcmp sorts as the options ask) back into
 * text that people can read.
 */

#include "record/order.h"

/*
 * Returns whether a key of this order is a plain text, that is, bytes of the
 * record. The keys of numbers, of several fields and of reverse orders (-r) are
 * no plain texts.
 */
bool order_keeps_text(const struct order *);

/*
 * Appends the text that a key stands for to the buffer. If the key contains
 * the whole line, the text is that line; otherwise it consists of the fields
 * of the key, with tabs between them. Numbers become decimal. A record of fixed
 * size gives the bytes of its key. Returns 1, 0 if the order makes no such key,
 * or -1 if there is no memory. O(len).
 */
int order_decode(const struct order *, const unsigned char *key, size_t len,
    struct keybuf *);

#endif

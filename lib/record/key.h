#ifndef HP_RECORD_KEY_H
#define HP_RECORD_KEY_H

/* Makes the keys of records. */

#include "record/order.h"

/*
 * Sets *key to the key of a record of `len` bytes. A line is passed without its
 * delimiter. The bytes of the key lie in the record if possible, otherwise in
 * the buffer; they stay valid until the record or the buffer changes. Threads
 * may call this function at the same time, each with its own buffer. Returns -1
 * if memory is full. O(len).
 */
int order_key(const struct order *, const unsigned char *record, size_t len,
    struct keybuf *, struct key *);
/*
 * Sets *key to the primary key of the record: its full key without the
 * tiebreaker. The tiebreaker is a copy of the whole record at the end of the
 * full key. It decides only between records with equal primary keys, and some
 * orders have none.
 */
int order_primary(const struct order *, const unsigned char *record, size_t len,
    struct keybuf *, struct key *);
/*
 * Compares two lines without building keys, which may be too long for memory.
 * Returns a number below, equal to or above 0. If `primary` is set, compares
 * only the primary keys. O(alen + blen).
 */
int order_compare(const struct order *, const unsigned char *a, size_t alen,
    const unsigned char *b, size_t blen, bool primary);

#endif

#ifndef HP_NUMBERS_NUMBER_H
#define HP_NUMBERS_NUMBER_H

/*
 * Numbers of any format are sorted as keys: unsigned numbers of 4 or 8 bytes,
 * whose order is the order asked for.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "numbers/cells.h"
#include "numbers/dense.h"
#include "numbers/loops.h"
#include "numbers/scatter.h"
#include "record/order.h"

enum {
	NUMBER_BEHIND = 64
};

/*
 * From a number x to its key and back: x ^ turn ^ (all bits of x's sign &
 * more). Signed numbers have their sign turned; floats also all other bits of
 * negative ones, which is the order of IEEE 754-2008, 5.10; and backwards all
 * are turned.
 */
struct number {
	uint64_t turn, more;
	bool swap;	/* big-endian, of several bytes */
	size_t size;	/* of a number */
	size_t element; /* of a key: 8, or 4 for all smaller ones */
	const struct kernel *kernel; /* sorts the keys */
	const struct loops *loops;
};

/* The order is for FORMAT_NUMBER.  The loops are the fastest ones for the
 * processor. */
void number_init(struct number *, const struct order *);

/* The key of the number at `at`. */
uint64_t number_key(const struct number *, const unsigned char *at);

/*
 * Is the key of each number at least that of the one before it (falling: at
 * most), the first one's compared with `last`?  unique: and none is equal?
 */
bool number_in_order(const struct number *, const unsigned char *at,
    const unsigned char *end, uint64_t last, bool falling, bool unique);

/*
 * Counts each key in the range; count[values] counts all others.  A key above
 * the range goes to the list of its bucket, one below to the list behind all
 * buckets. -1 when the memory is used up.
 */
int number_count(const struct number *, const struct dense *, uint32_t *count,
    const struct cells *, struct scatter *, const unsigned char *at,
    const unsigned char *end);

/* Appends the keys of the numbers to the lists of their buckets.  -1 when the
 * memory is used up. */
int number_read(const struct number *, const struct cells *, struct scatter *,
    const unsigned char *at, const unsigned char *end);

/* The same of n keys. */
int number_split(const struct number *, const struct cells *, struct scatter *,
    const void *from, size_t n);

/* Sorts n keys; tmp has room for n more. */
void number_sort(const struct number *, void *a, void *tmp, size_t n);
/* Writes count[i] times the key `key + i`, for i below keys, and up to
 * NUMBER_BEHIND bytes more.  Returns how many keys. */
size_t number_fill(const struct number *, void *a, uint64_t key,
    const uint64_t *count, size_t keys);
/* Keeps the first of equal neighbours; returns how many stay. */
size_t number_unique(const struct number *, void *a, size_t n);
/* Turns n keys into numbers, in place; returns their bytes. */
size_t number_restore(const struct number *, void *a, size_t n);

#endif

#ifndef HP_NUMBERS_NUMBER_H
#define HP_NUMBERS_NUMBER_H

/*
 * Numbers of any format are sorted as keys: unsigned numbers of 4 or 8 bytes.
 * Their order is the order that the options ask for.
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
 * How a number x becomes a key: key = x ^ turn ^ (more if x is negative). For
 * signed numbers `turn` inverts the sign bit. For floats `more` inverts all
 * other bits of negative numbers, which gives the order of IEEE 754-2008, 5.10.
 * For descending order all bits are inverted.
 */
struct number {
	uint64_t turn, more;
	bool swap;	/* big-endian and longer than a byte */
	size_t size;	/* bytes of a number */
	size_t element; /* bytes of a key: 8, or 4 for all smaller numbers */
	const struct kernel *kernel; /* sorts the keys */
	const struct loops *loops;
};

/*
 * Prepares the conversion for an order of format FORMAT_NUMBER. Chooses the
 * fastest loops for the processor.
 */
void number_init(struct number *, const struct order *);

/* Returns the key of the number at `at`. */
uint64_t number_key(const struct number *, const unsigned char *at);

/*
 * Returns whether no key is smaller than the one before it; with `falling`,
 * whether none is greater. The first key is compared with `last`. unique: equal
 * keys count as unordered.
 */
bool number_in_order(const struct number *, const unsigned char *at,
    const unsigned char *end, uint64_t last, bool falling, bool unique);

/*
 * Counts each key in the range d: count[key - low]++. count[values] counts all
 * other keys. Keys above the range are appended to the lists of their buckets,
 * keys below it to the list after all buckets. Returns -1 if memory is full.
 */
int number_count(const struct number *, const struct dense *, uint32_t *count,
    const struct cells *, struct scatter *, const unsigned char *at,
    const unsigned char *end);

/*
 * Appends the keys of the numbers to the lists of their buckets. Returns -1 if
 * memory is full.
 */
int number_read(const struct number *, const struct cells *, struct scatter *,
    const unsigned char *at, const unsigned char *end);

/*
 * Appends n keys to the lists of their buckets, as number_read does with
 * numbers.
 */
int number_split(const struct number *, const struct cells *, struct scatter *,
    const void *from, size_t n);

/* Sorts n keys; tmp has room for n more. */
void number_sort(const struct number *, void *a, void *tmp, size_t n);
/*
 * For each i below keys, writes the key `key + i` count[i] times. May write up
 * to NUMBER_BEHIND bytes more. Returns the number of keys written.
 */
size_t number_fill(const struct number *, void *a, uint64_t key,
    const uint64_t *count, size_t keys);
/* Removes all but the first of equal adjacent keys. Returns how many remain. */
size_t number_unique(const struct number *, void *a, size_t n);
/* Converts n keys to numbers, in place. Returns their size in bytes. */
size_t number_restore(const struct number *, void *a, size_t n);

#endif

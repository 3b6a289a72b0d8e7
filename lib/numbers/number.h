#ifndef HP_NUMBERS_NUMBER_H
#define HP_NUMBERS_NUMBER_H

/*
 * Conversion of numbers to keys and back. Numbers of any format are sorted as
 * keys, which are unsigned numbers of 4 or 8 bytes. The order of the keys is
 * the order that the options ask for.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
 * A number x becomes the key x ^ turn, and if x is negative also ^ more. For
 * signed numbers `turn` inverts the sign bit. For floats `more` inverts all
 * other bits of negative numbers, which gives the order of IEEE 754-2008, 5.10.
 * For descending order all bits are inverted.
 */
struct number {
	uint64_t turn, more;
	bool swap;   /* not in the byte order of the machine */
	size_t size; /* bytes of a number */
	/*
	 * size of a key in bytes: 8, or 4 if the numbers have 4 bytes or less
	 */
	size_t element;
	const struct kernel *kernel; /* sorts the keys */
	const struct loops *loops;
};

/*
 * Prepares the conversion of numbers for an order. Chooses the fastest loops
 * for the processor.
 */
void number_init(struct number *, const struct order *);

/* Returns the key of the number at the address `at`. */
uint64_t number_key(const struct number *, const unsigned char *at);

/*
 * Returns whether the numbers are in increasing order of their keys (decreasing
 * order if `falling` is set). Equal keys are allowed unless `unique` is set.
 * `last` is the key before the first number.
 */
bool number_in_order(const struct number *, const unsigned char *at,
    const unsigned char *end, uint64_t last, bool falling, bool unique);

/*
 * Counts how often each key of the range d occurs: count[k - d->low] is the
 * number of keys k. The keys outside of the range are counted together, in
 * count[d->values], and stored. A key above the range is stored in the list of
 * its bucket. All keys below the range are stored in one list. Returns -1 if
 * memory is full.
 */
int number_count(const struct number *, const struct dense *, uint32_t *count,
    const struct cells *, struct scatter *, const unsigned char *at,
    const unsigned char *end);

/*
 * Converts numbers to keys and appends these to the lists of their buckets.
 * Returns -1 if memory is full.
 */
int number_read(const struct number *, const struct cells *, struct scatter *,
    const unsigned char *at, const unsigned char *end);

/*
 * Appends n keys to the lists of their buckets. Returns -1 if memory is full.
 */
int number_split(const struct number *, const struct cells *, struct scatter *,
    const void *from, size_t n);

/* Returns the key that is stored at x. */
static inline uint64_t
number_stored(const struct number *t, const unsigned char *x)
{
	uint64_t key;
	uint32_t key4;

	if (t->element == sizeof key) {
		memcpy(&key, x, sizeof key);
		return key;
	}
	memcpy(&key4, x, sizeof key4);
	return key4;
}

/* Sorts n keys. tmp must have room for n more keys. */
void number_sort(const struct number *, void *a, void *tmp, size_t n);
/*
 * Writes each key `key + i` count[i] times, for i from 0 to keys - 1. May
 * overwrite up to NUMBER_BEHIND bytes after the last key. Returns the number of
 * keys written.
 */
size_t number_fill(const struct number *, void *a, uint64_t key,
    const uint64_t *count, size_t keys);
/*
 * Removes each key that equals the key before it. Returns how many keys remain.
 */
size_t number_unique(const struct number *, void *a, size_t n);
/*
 * Converts n keys to numbers, which overwrite the keys. Returns the size of the
 * numbers in bytes.
 */
size_t number_restore(const struct number *, void *a, size_t n);

#endif

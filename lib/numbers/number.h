#ifndef HP_NUMBERS_NUMBER_H
#define HP_NUMBERS_NUMBER_H

/*
 * Numbers are sorted themselves, without entries: as unsigned numbers of 4 or
 * 8 bytes, their keys, whose order is the one asked for.
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
 * Do the keys of the numbers go on from `last` in order, or falling; unique:
 * and none is like the one before?
 */
bool number_in_order(const struct number *, const unsigned char *at,
    const unsigned char *end, uint64_t last, bool falling, bool unique);

/* Counts each key in the range, and behind these counts all others, of which it
 * puts those above to the lists and those below to one more list behind them;
 * -1 when there is no memory. */
int number_count(const struct number *, const struct dense *, uint32_t *count,
    const struct cells *, struct scatter *, const unsigned char *at,
    const unsigned char *end);

/* Keys of the numbers to the lists; -1 when there is no memory. */
int number_read(const struct number *, const struct cells *, struct scatter *,
    const unsigned char *at, const unsigned char *end);

/* n keys to the lists. */
int number_split(const struct number *, const struct cells *, struct scatter *,
    const void *from, size_t n);

/* n keys in the cache; tmp holds n more. */
void number_sort(const struct number *, void *a, void *tmp, size_t n);
/* Of each key from this one on as many as were counted; up to NUMBER_BEHIND
 * more bytes are written.  Returns how many. */
size_t number_fill(const struct number *, void *a, uint64_t key,
    const uint64_t *count, size_t keys);
/* Of equal neighbours only the first; returns how many stay. */
size_t number_unique(const struct number *, void *a, size_t n);
/* In place, back to numbers; returns their bytes. */
size_t number_restore(const struct number *, void *a, size_t n);

#endif

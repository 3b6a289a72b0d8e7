#ifndef HP_NUMBERS_LOOPS_H
#define HP_NUMBERS_LOOPS_H

/*
 * The inner loops over all numbers of the input: they convert numbers to keys
 * and back, and find the buckets of keys. Each loop exists in plain C, and with
 * vectors of 512 or 256 bits for processors that have them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "numbers/cells.h"
#include "numbers/scatter.h"

struct number;

struct loops {
	/* Computes the keys of n numbers (number.h). */
	void (*keys)(const struct number *, const unsigned char *at,
	    uint64_t *key, size_t n);
	/* Converts n keys back to numbers. The numbers overwrite the keys. */
	void (*restore)(const struct number *, void *a, size_t n);
	/*
	 * Returns whether the keys are in increasing order. If `unique` is set,
	 * equal keys are out of order, too.
	 */
	bool (*rising)(const uint64_t *key, size_t n, bool unique);
	/* Same as cells_place. */
	void (*place)(const struct cells *, const uint64_t *key,
	    uint32_t *bucket, size_t n);
	/*
	 * Append n keys to the lists of their buckets, as numbers of 8 bytes
	 * (put_8) or 4 bytes (put_4). Return -1 if memory is full.
	 */
	int (*put_8)(struct scatter *to, const uint64_t *key,
	    const uint32_t *bucket, size_t n);
	int (*put_4)(struct scatter *to, const uint64_t *key,
	    const uint32_t *bucket, size_t n);
};

extern const struct loops loops_plain;
/*
 * Return the loops that use vectors of this size, or NULL if the processor
 * lacks such vectors.
 */
const struct loops *loops_avx512(void);
const struct loops *loops_avx2(void);
/* Returns the loops that use the largest vectors of the processor. */
const struct loops *loops_best(void);

#endif

#ifndef HP_NUMBERS_LOOPS_H
#define HP_NUMBERS_LOOPS_H

/*
 * The loops over all numbers of the input: from bytes to keys, from keys to
 * buckets, and back.  They exist in plain C and, where the processor has them,
 * with vectors of 512 or 256 bits.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "numbers/cells.h"
#include "numbers/scatter.h"

struct number;

struct loops {
	/* The keys of n numbers (number.h). */
	void (*keys)(const struct number *, const unsigned char *at,
	    uint64_t *key, size_t n);
	/* In place, n keys back to numbers. */
	void (*restore)(const struct number *, void *a, size_t n);
	/* Is no key less than the one before?  unique: nor equal to it? */
	bool (*rising)(const uint64_t *key, size_t n, bool unique);
	/* As cells_place. */
	void (*place)(const struct cells *, const uint64_t *key,
	    uint32_t *bucket, size_t n);
	/* Append n keys to the lists of their buckets, as numbers of 8 or of 4
	 * bytes.  -1 when the memory is used up. */
	int (*put_8)(struct scatter *to, const uint64_t *key,
	    const uint32_t *bucket, size_t n);
	int (*put_4)(struct scatter *to, const uint64_t *key,
	    const uint32_t *bucket, size_t n);
};

extern const struct loops loops_plain;
/* NULL if the processor lacks these vectors. */
const struct loops *loops_avx512(void);
const struct loops *loops_avx2(void);
/* The fastest of these for the processor. */
const struct loops *loops_best(void);

#endif

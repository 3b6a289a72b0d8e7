#ifndef HP_KERNEL_KERNEL_H
#define HP_KERNEL_KERNEL_H

/*
 * The innermost loops of sorting unsigned numbers: the same in plain C and,
 * where the processor has them, with vectors of 512 or 256 bits.
 */

#include <stddef.h>
#include <stdint.h>

#include "kernel/cells.h"
#include "kernel/scatter.h"

struct number;

struct kernel {
	/* Keys of n numbers (number.h), and in place back from keys. */
	void (*keys)(const struct number *, const unsigned char *at,
	    uint64_t *key, size_t n);
	void (*restore)(const struct number *, void *a, size_t n);
	/* Is none of n keys less than the one before; unique: or the same? */
	bool (*rising)(const uint64_t *key, size_t n, bool unique);
	/* bucket[i] = cells_find(s, key[i]) for n keys. */
	void (*place)(const struct cells *s, const uint64_t *key,
	    uint32_t *bucket, size_t n);
	/* n keys to their buckets' lists, as numbers of 8 or of 4 bytes; -1
	 * when memory is used up. */
	int (*put_8)(struct scatter *to, const uint64_t *key,
	    const uint32_t *bucket, size_t n);
	int (*put_4)(struct scatter *to, const uint64_t *key,
	    const uint32_t *bucket, size_t n);
	/*
	 * Each sorts n numbers at a; tmp holds n more.  O(n log n) whatever the
	 * numbers are, less where few are distinct.
	 */
	void (*sort_8)(uint64_t *a, uint64_t *tmp, size_t n);
	void (*sort_4)(uint32_t *a, uint32_t *tmp, size_t n);
};

/* Radix sort, anywhere (radix.inc). */
extern const struct kernel kernel_plain;

/* Quicksort and sorting networks (vector.inc), or NULL where the processor has
 * no such vectors (avx512.c, avx2.c). */
const struct kernel *kernel_avx512(void);
const struct kernel *kernel_avx2(void);
/* The best of all. */
const struct kernel *kernel_best(void);

#endif

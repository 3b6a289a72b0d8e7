#ifndef HP_KERNEL_KERNEL_H
#define HP_KERNEL_KERNEL_H

/*
 * Sorts unsigned numbers that fit the cache: in plain C, or with vectors of 512
 * or 256 bits if the processor has them.
 */

#include <stddef.h>
#include <stdint.h>

struct kernel {
	/*
	 * Each function sorts n numbers at a; tmp has room for n more. O(n log
	 * n) in the worst case, less if few values are distinct.
	 */
	void (*sort_8)(uint64_t *a, uint64_t *tmp, size_t n);
	void (*sort_4)(uint32_t *a, uint32_t *tmp, size_t n);
};

/* Radix sort, for any processor (radix.inc). */
extern const struct kernel kernel_plain;

/*
 * Return a quicksort with sorting networks (vector.inc), or NULL if the
 * processor lacks vectors of this size.
 */
const struct kernel *kernel_avx512(void);
const struct kernel *kernel_avx2(void);
/* Returns the fastest kernel that the processor supports. */
const struct kernel *kernel_best(void);

#endif

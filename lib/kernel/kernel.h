#ifndef HP_KERNEL_KERNEL_H
#define HP_KERNEL_KERNEL_H

/*
 * Functions that sort arrays of unsigned numbers small enough for the processor
 * cache. They exist in plain C, and with vectors of 512 or 256 bits for
 * processors that have them.
 */

#include <stddef.h>
#include <stdint.h>

struct kernel {
	/*
	 * Both functions sort n numbers at the address a. tmp has memory for n
	 * more numbers. O(n log n) in the worst case, less if there are few
	 * different values.
	 */
	void (*sort_8)(uint64_t *a, uint64_t *tmp, size_t n);
	void (*sort_4)(uint32_t *a, uint32_t *tmp, size_t n);
};

/* Radix sort, for any processor (radix.inc). */
extern const struct kernel kernel_plain;

/*
 * Return sorting functions that use vectors of this size (quicksort and sorting
 * networks, see vector.inc), or NULL if the processor lacks such vectors.
 */
const struct kernel *kernel_avx512(void);
const struct kernel *kernel_avx2(void);
/* Returns the fastest sorting functions that the processor supports. */
const struct kernel *kernel_best(void);

#endif

#ifndef HP_KERNEL_KERNEL_H
#define HP_KERNEL_KERNEL_H

/*
 * Sorting unsigned numbers in the cache: in plain C and, where the processor
 * has them, with vectors of 512 or 256 bits.
 */

#include <stddef.h>
#include <stdint.h>

struct kernel {
	/*
	 * Each sorts n numbers at a; tmp holds n more.  O(n log n) whatever the
	 * numbers are, less where few are distinct.
	 */
	void (*sort_8)(uint64_t *a, uint64_t *tmp, size_t n);
	void (*sort_4)(uint32_t *a, uint32_t *tmp, size_t n);
};

/* Radix sort, which runs on any processor (radix.inc). */
extern const struct kernel kernel_plain;

/* Quicksort and sorting networks (vector.inc).  NULL if the processor lacks
 * these vectors. */
const struct kernel *kernel_avx512(void);
const struct kernel *kernel_avx2(void);
/* The fastest of these for the processor. */
const struct kernel *kernel_best(void);

#endif

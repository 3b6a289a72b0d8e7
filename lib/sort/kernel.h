#ifndef HP_SORT_KERNEL_H
#define HP_SORT_KERNEL_H

/*
 * The innermost loops of sorting unsigned numbers: the same in plain C and,
 * where the processor has them, with vectors of 512 bits.
 */

#include <stddef.h>
#include <stdint.h>

#include "sort/cells.h"

struct kernel {
	/* bucket[i] = cells_find(s, key[i]) for n keys. */
	void (*place)(const struct cells *s, const uint64_t *key,
	    uint32_t *bucket, size_t n);
	/*
	 * Each sorts n numbers at a; tmp holds n more.  O(n log n) whatever the
	 * numbers are, less where few are distinct.
	 */
	void (*sort_8)(uint64_t *a, uint64_t *tmp, size_t n);
	void (*sort_4)(uint32_t *a, uint32_t *tmp, size_t n);
};

/* Radix sort, anywhere (radix.inc). */
extern const struct kernel kernel_plain;

/* Quicksort and sorting networks (vector.inc), or NULL. */
const struct kernel *kernel_vector(void);

#endif

#ifndef HP_KERNEL_VECTOR_H
#define HP_KERNEL_VECTOR_H

/* What the kernels with vectors have in common, beside vector.inc. */

#include <stdint.h>

enum {
	LARGE = 4096, /* numbers that deserve a sample of their own */
	REGISTERS = 16
};

/* Before a loop over registers, which must be no array any more when the
 * compiler hands them out; such a loop has no other in it. */
#define UNROLLED _Pragma("GCC unroll 16")

/*
 * For each of 256 masks of 8 lanes, the permutation that brings those in the
 * mask to the front and the others behind them.
 */
static uint32_t front[256][8] __attribute__((aligned(64)));

static inline void
fill_front(void)
{
	for (unsigned mask = 0; mask < 256; mask++) {
		unsigned k = 0;

		for (unsigned in = 2; in-- > 0;)
			for (unsigned i = 0; i < 8; i++)
				if ((mask >> i & 1) == in)
					front[mask][k++] = i;
	}
}

#endif

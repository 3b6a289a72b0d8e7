#ifndef HP_KERNEL_VECTOR_H
#define HP_KERNEL_VECTOR_H

/* What the vector kernels share, besides vector.inc. */

#include <stdint.h>

enum {
	/*
	 * Quicksort chooses the pivot of arrays of at least this size from a
	 * larger sample.
	 */
	LARGE = 4096,
	REGISTERS = 16
};

/*
 * Unrolls the next loop, so that the compiler keeps an array of vectors in
 * registers. That loop must not contain another loop.
 */
#define UNROLLED _Pragma("GCC unroll 16")

/*
 * A permutation for each mask of 8 lanes. It moves the lanes that are set in
 * the mask to the front, and the others behind them.
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

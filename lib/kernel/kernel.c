#include <string.h>

#include "kernel/kernel.h"
#include "kernel/number.h"

#define RADIX_TYPE uint64_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_8
#include "kernel/radix.inc"

#define RADIX_TYPE uint32_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_4
#include "kernel/radix.inc"

static void
place(const struct cells *s, const uint64_t *key, uint32_t *bucket, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bucket[i] = (uint32_t)cells_find(s, key[i]);
}

#define KERNEL
#define PUT_LINE scatter_line
#include "kernel/loops.inc"

const struct kernel kernel_plain = { keys, restore, rising, place, put_8, put_4,
	radix_8, radix_4 };

const struct kernel *
kernel_best(void)
{
	const struct kernel *k = kernel_avx512();

	if (k == NULL)
		k = kernel_avx2();
	return k != NULL ? k : &kernel_plain;
}

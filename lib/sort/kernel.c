#include <string.h>

#include "sort/kernel.h"

#define RADIX_TYPE uint64_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_8
#include "sort/radix.inc"

#define RADIX_TYPE uint32_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_4
#include "sort/radix.inc"

static void
place(const struct cells *s, const uint64_t *key, uint32_t *bucket, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bucket[i] = (uint32_t)cells_find(s, key[i]);
}

const struct kernel kernel_plain = { place, radix_8, radix_4 };

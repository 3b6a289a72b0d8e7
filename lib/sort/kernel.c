#include <string.h>

#include "sort/kernel.h"
#include "sort/number.h"

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

static inline __attribute__((always_inline)) int
put(struct scatter *to, const uint64_t *key, const uint32_t *bucket, size_t n,
    size_t element)
{
	size_t *count = to->count;
	unsigned char *line = to->line;

	for (size_t i = 0; i < n; i++)
		if (scatter_put(count, line, bucket[i], key[i], element) &&
		    scatter_line(to, bucket[i]) == -1)
			return -1;
	return 0;
}

static int
put_8(struct scatter *to, const uint64_t *key, const uint32_t *bucket, size_t n)
{
	return put(to, key, bucket, n, 8);
}

static int
put_4(struct scatter *to, const uint64_t *key, const uint32_t *bucket, size_t n)
{
	return put(to, key, bucket, n, 4);
}

#define KERNEL
#include "sort/loops.inc"

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

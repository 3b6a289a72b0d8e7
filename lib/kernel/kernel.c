#include "kernel/kernel.h"

const struct kernel *
kernel_best(void)
{
	const struct kernel *k = kernel_avx512();

	if (k == NULL)
		k = kernel_avx2();
	return k != NULL ? k : &kernel_plain;
}

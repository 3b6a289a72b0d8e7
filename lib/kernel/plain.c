#include <string.h>

#include "kernel/kernel.h"

#define RADIX_TYPE uint64_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_8
#include "kernel/radix.inc"

#define RADIX_TYPE uint32_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_4
#include "kernel/radix.inc"

const struct kernel kernel_plain = { radix_8, radix_4 };
